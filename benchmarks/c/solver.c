/* Reference for row S1: the exact solver of a deal with open cards, default agreements, written by hand in C.
 *
 * Reads deals from standard input, one a line: three hands as 24-bit masks, the declarer's first, who leads.
 * Solves them again and again for about so many CPU seconds and prints the sum of all values, the cards
 * tried, the deals solved and the CPU seconds:
 *
 *     solver SECONDS < deals
 *
 * Search, order of moves, pruning and the table of known positions are those of engine/usual_search.py, so
 * that both print the same sums. As there, card `4 * rank + suit` is a bit of a hand.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_DEALS 4096
#define MOST 4000
#define SUIT 0x111111u
#define QUEENS 0xF00u
#define FIRST_QUEEN 8
#define ACES 0xF00000u
#define BOUND 4095
#define SLOT_BITS 14

struct hands {
    uint32_t first, second, third; /* in the order of the trick */
    int us;                        /* the declarer's place in it */
    int trump;
    int won;  /* a bit for each hand that has won a trick */
    int rest; /* points of all cards left */
};

static const int POINTS[6] = {0, 2, 3, 4, 10, 11};
static const int VALUES[4] = {40, 60, 80, 100};

static struct { uint64_t name; uint32_t found; } slots[1 << SLOT_BITS];
static uint64_t number, nodes;
static uint8_t low_points[1 << 12], high_points[1 << 12];

static int points(int card) { return POINTS[card >> 2]; }

static int points_of(uint32_t cards) { return low_points[cards & 4095] + high_points[cards >> 12]; }

static int lowest(uint32_t cards) { return __builtin_ctz(cards); }

static int highest(uint32_t cards) { return 31 - __builtin_clz(cards); }

static int least(int a, int b) { return a < b ? a : b; }

static int most(int a, int b) { return a > b ? a : b; }

static uint32_t up_to(uint32_t cards) {
    cards |= cards >> 4;
    cards |= cards >> 8;
    return cards | cards >> 16;
}

static uint32_t beaten(uint32_t cards) { return up_to(cards >> 4); }

static uint32_t above(int card, int trump) {
    int suit = card & 3;
    uint32_t higher = SUIT << suit & -(2u << card);
    return trump < 0 || suit == trump ? higher : higher | SUIT << trump;
}

static uint32_t queens_of(uint32_t hand) { return hand & hand >> 4 & QUEENS; }

static uint32_t paired(uint32_t hand) { return queens_of(hand) | queens_of(hand) << 4; }

static uint32_t follows(uint32_t hand, uint32_t suit, int trump) {
    if (hand & suit) return hand & suit;
    uint32_t trumps = trump >= 0 ? hand & SUIT << trump : 0;
    return trumps ? trumps : hand;
}

static uint64_t name_of(const struct hands *h) {
    uint64_t left = h->first | h->second | h->third, name = left | (uint64_t)h->us << 24;
    if (h->trump >= 0 && left & SUIT << h->trump) name |= (uint64_t)(h->trump + 1) << 26;
    if (h->won & 1 && queens_of(h->first)) name |= 1u << 29;
    if (h->won & 2 && queens_of(h->second)) name |= 1u << 30;
    if (h->won & 4 && queens_of(h->third)) name |= 1u << 31;
    return name;
}

/* Cards of the last hand of a trick that cannot do better than a neighbour of theirs. */
static uint32_t no_better(uint32_t hand, uint32_t foreign, int card, int kept, uint32_t others) {
    uint32_t pairs = paired(hand), suit = SUIT << (card & 3), same = others & suit & ~pairs;
    if (pairs >> card & 1) return 0;
    uint32_t below = (1u << card) - 1, higher = -(2u << card);
    foreign &= suit;
    if (kept) return same & below & ~up_to(foreign & below);
    foreign &= higher;
    return foreign ? same & higher & ((foreign & -foreign) - 1) : same & higher;
}

/* Who takes a trick of the last three cards. */
static int last_winner(const struct hands *h) {
    uint32_t suit = SUIT << (lowest(h->first) & 3);
    if (h->trump >= 0 && (h->first | h->second | h->third) & SUIT << h->trump) suit = SUIT << h->trump;
    uint32_t first = h->first & suit, second = h->second & suit, third = h->third & suit;
    return third > second && third > first ? 2 : second > first ? 1 : 0;
}

static int lead(struct hands h, int alpha, int beta);

/* Value when one card of a trick is missing. */
static int third(struct hands h, uint32_t suit, int holder, uint32_t winning, int sum, int alpha, int beta) {
    uint32_t legal = follows(h.third, suit, h.trump);
    int us = h.us, ours = (us == 2) == (holder == us), best = us == 2 ? -1 : MOST;
    while (legal) {
        uint32_t taking = legal & winning;
        int card = taking ? highest(taking)
                   : ours ? highest(legal & ~ACES ? legal & ~ACES : legal) : lowest(legal);
        uint32_t bit = 1u << card;
        legal ^= bit;
        if (legal)
            legal &= ~no_better(h.third, h.first | h.second, card, taking || ours, taking ? taking : legal);
        nodes++;
        int all = sum + points(card), winner = taking ? 2 : holder, gain = winner == us ? all : 0;
        struct hands next = {h.first, h.second, h.third ^ bit, us, h.trump, h.won | 1, h.rest - all};
        if (winner == 1)
            next = (struct hands){h.second, h.third ^ bit, h.first, us ? us - 1 : 2, h.trump,
                                  h.won >> 1 | (h.won & 1) << 2 | 1, h.rest - all};
        if (winner == 2)
            next = (struct hands){h.third ^ bit, h.first, h.second, us < 2 ? us + 1 : 0, h.trump,
                                  (h.won & 3) << 1 | 1, h.rest - all};
        int value = gain + lead(next, alpha - gain, beta - gain);
        if (us == 2) {
            best = most(best, value);
            alpha = most(alpha, value);
        } else {
            best = least(best, value);
            beta = least(beta, value);
        }
        if (alpha >= beta) break;
    }
    return best;
}

/* Value after the lead of a card. */
static int second(struct hands h, int led, int alpha, int beta) {
    uint32_t suit = SUIT << (led & 3), winning = above(led, h.trump), hand = h.second;
    uint32_t legal = follows(hand, suit, h.trump), over = follows(h.third, suit, h.trump) & winning;
    int us = h.us, feeds = us == 0 ? over != 0 : us == 2 && !over, best = us == 1 ? -1 : MOST;
    while (legal) {
        uint32_t taking = legal & winning;
        int card = taking ? highest(taking) : feeds ? highest(legal) : lowest(legal);
        uint32_t bit = 1u << card;
        legal ^= bit;
        nodes++;
        h.second = hand ^ bit;
        int value = third(h, suit, taking != 0, taking ? above(card, h.trump) : winning,
                          points(led) + points(card), alpha, beta);
        if (us == 1) {
            best = most(best, value);
            alpha = most(alpha, value);
        } else {
            best = least(best, value);
            beta = least(beta, value);
        }
        if (alpha >= beta) break;
    }
    return best;
}

/* Value before a trick: exact if between alpha and beta, else a bound on the same side. */
static int lead(struct hands h, int alpha, int beta) {
    uint32_t hand = h.first, others = h.second | h.third;
    int us = h.us, trump = h.trump;
    if (!(hand & (hand - 1))) return nodes += 3, last_winner(&h) == us ? h.rest : 0;
    int lower = 0, upper = h.rest;
    uint32_t mine = us == 0 ? hand : us == 1 ? h.second : h.third;
    for (uint32_t queens = queens_of(mine); queens; queens &= queens - 1)
        upper += VALUES[lowest(queens) - FIRST_QUEEN];
    if (upper <= alpha) return upper;
    uint32_t pairs = paired(hand), masters = hand & ~beaten(others);
    if (trump < 0 || !(others & SUIT << trump)) {
        int sure = points_of(masters & ~pairs);
        if (us == 0) {
            lower = sure;
            if (lower >= beta) return lower;
        } else {
            upper -= sure;
            if (upper <= alpha) return upper;
        }
    }
    uint64_t name = name_of(&h);
    uint32_t slot = (uint32_t)(name * 0x2545F491u & 0xFFFFFFFFu) >> (32 - SLOT_BITS);
    int remembered = -1;
    name |= number << 32;
    if (slots[slot].name == name) {
        uint32_t found = slots[slot].found;
        remembered = (int)(found >> 24);
        lower = most(lower, found & BOUND);
        upper = least(upper, found >> 12 & BOUND);
    }
    if (lower >= beta || lower >= upper) return lower;
    if (upper <= alpha) return upper;
    int low = most(alpha, lower), high = least(beta, upper), best = -1, best_card = 0;
    uint32_t fed = 0, legal = hand, announcing = h.won & 1 ? pairs : 0;
    if (us) {
        best = MOST;
        masters = hand & ~beaten(mine);
        fed = up_to((us == 1 ? h.third : h.second) & ~beaten(mine));
    }
    while (legal) {
        int card = remembered >= 0 ? remembered
                   : legal & announcing & QUEENS ? highest(legal & announcing & QUEENS)
                   : legal & masters ? highest(legal & masters)
                   : legal & fed ? highest(legal & fed) : lowest(legal);
        uint32_t bit = 1u << card;
        int gain = 0;
        remembered = -1;
        legal ^= bit;
        nodes++;
        struct hands next = h;
        next.first = hand ^ bit;
        if (announcing & bit) {
            next.trump = card & 3;
            if (us == 0) gain = VALUES[next.trump];
        }
        int value = gain + second(next, card, low - gain, high - gain);
        if (us == 0 ? value > best : value < best) {
            best = value, best_card = card;
            if (us == 0) low = most(low, value);
            else high = least(high, value);
        }
        if (low >= high) break;
    }
    if (best <= alpha) upper = least(upper, best);
    else if (best >= beta) lower = most(lower, best);
    else lower = upper = best;
    slots[slot].name = name;
    slots[slot].found = (uint32_t)lower | (uint32_t)upper << 12 | (uint32_t)best_card << 24;
    return best;
}

/* Number cards by rank and suit. */
static uint32_t by_rank(uint32_t cards) {
    uint32_t found = 0;
    for (; cards; cards &= cards - 1) found |= 1u << (lowest(cards) % 6 * 4 + lowest(cards) / 6);
    return found;
}

int main(int argc, char **argv) {
    static struct hands deals[MOST_DEALS];
    int count = 0;
    if (argc != 2) return fprintf(stderr, "usage: solver SECONDS < deals\n"), 2;
    for (int half = 0; half < 1 << 12; half++)
        for (int bit = 0; bit < 12; bit++) {
            low_points[half] += (half >> bit & 1) * points(bit);
            high_points[half] += (half >> bit & 1) * points(bit + 12);
        }
    uint32_t hands[3];
    while (count < MOST_DEALS && scanf("%u %u %u", &hands[0], &hands[1], &hands[2]) == 3)
        deals[count++] = (struct hands){by_rank(hands[0]), by_rank(hands[1]), by_rank(hands[2]), 0, -1, 0, 120};
    uint64_t sum = 0, solved = 0;
    double seconds = 0;
    clock_t begin = clock();
    do {
        for (int deal = 0; deal < count; deal++, solved++) {
            number++;
            sum += (uint64_t)lead(deals[deal], -1, MOST);
        }
        seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    } while (seconds < atof(argv[1]));
    printf("%llu %llu %llu %.6f\n", (unsigned long long)sum, (unsigned long long)nodes,
           (unsigned long long)solved, seconds);
    return 0;
}
