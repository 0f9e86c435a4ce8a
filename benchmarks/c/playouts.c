/* Reference for row P3: random card play of Thousand's default agreements, written by hand in C.
 *
 * Reads deals from standard input, one a line: three hands as 24-bit masks in the order of play. Plays each
 * of them NUMBER times to the end, all of them again for about so many CPU seconds, and prints the sum of one
 * round's checksums, the card decisions made, and the CPU seconds:
 *
 *     playouts NUMBER SEED SECONDS < deals
 *
 * Cards, generator and checksum are those of engine/playouts.py, so that both print the same sum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_DEALS 4096
#define QUEENS 0x104104u

static const int POINTS[6] = {0, 2, 3, 4, 10, 11};
static const int VALUES[4] = {40, 60, 80, 100};

struct table {
    uint32_t hand[3]; /* in the order of the trick */
    int leader, trump;
    int points[3], marriages[3], tricks[3];
};

static uint64_t next_random(uint64_t state) { return (state * 1664525u + 1013904223u) & 0xFFFFFFFFu; }

static int nth_card(uint32_t mask, int number) {
    while (number--) mask &= mask - 1;
    return __builtin_ctz(mask);
}

static int choose(uint32_t cards, uint64_t *random) {
    *random = next_random(*random);
    int count = __builtin_popcount(cards);
    return nth_card(cards, (int)((uint64_t)count * (*random >> 8) >> 24));
}

static uint32_t winning_cards(int best, int trump) {
    int shift = best / 6 * 6;
    uint32_t higher = (63u << shift) & -(2u << best);
    return trump >= 0 && shift != 6 * trump ? higher | 63u << 6 * trump : higher;
}

static uint32_t legal_follows(uint32_t hand, int led, int trump) {
    uint32_t in_suit = hand & 63u << led / 6 * 6;
    if (in_suit) return in_suit;
    uint32_t trumps = trump >= 0 ? hand & 63u << 6 * trump : 0;
    return trumps ? trumps : hand;
}

static uint64_t play_out(struct table *t, uint64_t random) {
    while (t->hand[0]) {
        int cards[3], holder = 0;
        int last = !(t->hand[0] & (t->hand[0] - 1)); /* nobody has a choice, and nothing is drawn */
        int lead = last ? __builtin_ctz(t->hand[0]) : choose(t->hand[0], &random);
        uint32_t pairs = t->hand[0] & t->hand[0] >> 1 & QUEENS;
        if ((pairs | pairs << 1) >> lead & 1 && t->tricks[t->leader]) {
            t->trump = lead / 6;
            t->marriages[t->leader] += VALUES[t->trump];
        }
        cards[0] = lead;
        uint32_t winning = winning_cards(lead, t->trump);
        for (int seat = 1; seat < 3; seat++) {
            int card = last ? __builtin_ctz(t->hand[seat])
                            : choose(legal_follows(t->hand[seat], lead, t->trump), &random);
            if (winning >> card & 1) {
                winning = winning_cards(card, t->trump);
                holder = seat;
            }
            cards[seat] = card;
        }
        int points = 0;
        uint32_t after[3];
        for (int seat = 0; seat < 3; seat++) {
            points += POINTS[cards[seat] % 6];
            after[seat] = t->hand[seat] ^ 1u << cards[seat];
        }
        int winner = (t->leader + holder) % 3;
        t->points[winner] += points;
        t->tricks[winner]++;
        t->leader = winner;
        for (int seat = 0; seat < 3; seat++) t->hand[seat] = after[(seat + holder) % 3];
    }
    return random;
}

int main(int argc, char **argv) {
    static struct table deals[MOST_DEALS];
    int count = 0;
    if (argc != 4) return fprintf(stderr, "usage: playouts NUMBER SEED SECONDS < deals\n"), 2;
    int number = atoi(argv[1]);
    while (count < MOST_DEALS
           && scanf("%u %u %u", &deals[count].hand[0], &deals[count].hand[1], &deals[count].hand[2]) == 3)
        deals[count++].trump = -1;
    uint64_t sum, played = 0;
    double seconds;
    clock_t begin = clock();
    do {
        sum = 0;
        for (int deal = 0; deal < count; deal++) {
            uint64_t checksum = 0, random = strtoull(argv[2], NULL, 10);
            for (int n = 0; n < number; n++) {
                struct table table = deals[deal];
                random = play_out(&table, random);
                uint64_t total = 0;
                for (int seat = 0; seat < 3; seat++)
                    total |= (uint64_t)(table.points[seat] + table.marriages[seat]) << 16 * seat;
                checksum = ((checksum ^ total) * 1025 + (checksum >> 20)) & 0xFFFFFFFFFFu;
            }
            sum += checksum;
            played += 24ull * number;
        }
        seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    } while (seconds < atof(argv[3]));
    printf("%llu %llu %.6f\n", (unsigned long long)sum, (unsigned long long)played, seconds);
    return 0;
}
