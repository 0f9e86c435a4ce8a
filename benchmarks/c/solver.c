/* Reference for row S1: the exact solver of a deal with open cards, default agreements, written by hand in C.
 *
 * Reads deals from standard input, one a line: three hands as 24-bit masks, the declarer's first, who leads.
 * Solves them again and again for about so many CPU seconds and prints, after each round, the sum of all
 * values, the cards tried, the deals solved and the CPU seconds:
 *
 *     solver SECONDS < deals
 *
 * Search, order of moves and pruning are those of engine/solver.py, so that both print the same sums; a hash
 * table of fixed size takes the place of its dictionary.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_DEALS 4096
#define MOST 4000
#define NO_ACTION 63
#define BOUND 4095u
#define NINES 0x041041u
#define QUEENS 0x104104u
#define SLOTS (1u << 18)

struct table {
    uint32_t hand[3]; /* in the order of the trick */
    uint32_t winning;
    int leader, trump, on_table, holder;
    int card[3];
    int won[3];    /* tricks by place */
    int total[3];  /* cards and marriages by place */
};

static const int POINTS[6] = {0, 2, 3, 4, 10, 11};
static const int VALUES[4] = {40, 60, 80, 100};

static struct { uint64_t key; uint32_t entry; } known[SLOTS];
static uint64_t generation, nodes;
static struct table tables[10];
static uint8_t half_points[1 << 12];

static int lowest(uint32_t cards) { return __builtin_ctz(cards); }

static int points(uint32_t cards) { return half_points[cards & 4095] + half_points[cards >> 12]; }

static int dearest(uint32_t cards) {
    int rank = 5;
    while (!(cards & NINES << rank)) rank--;
    return lowest(cards & NINES << rank);
}

static int cheapest(uint32_t cards) {
    int rank = 0;
    while (!(cards & NINES << rank)) rank++;
    return lowest(cards & NINES << rank);
}

static uint32_t beaten(uint32_t cards) {
    uint32_t lower = cards >> 1 & 0x7DF7DFu;
    lower |= lower >> 1 & 0x3CF3CFu;
    lower |= lower >> 2 & 0x1C71C7u;
    return lower | (cards >> 5 & NINES);
}

static uint32_t pairs_of(uint32_t hand) {
    uint32_t queens = hand & hand >> 1 & QUEENS;
    return queens | queens << 1;
}

static uint32_t winning_cards(int best, int trump) {
    int shift = best / 6 * 6;
    uint32_t higher = (63u << shift) & -(2u << best);
    return trump >= 0 && shift != 6 * trump ? higher | 63u << 6 * trump : higher;
}

static uint32_t legal(const struct table *t) {
    uint32_t hand = t->hand[t->on_table];
    if (!t->on_table) return hand;
    uint32_t in_suit = hand & 63u << t->card[0] / 6 * 6;
    if (in_suit) return in_suit;
    uint32_t trumps = t->trump >= 0 ? hand & 63u << 6 * t->trump : 0;
    return trumps ? trumps : hand;
}

static void play(struct table *t, int card) {
    if (!t->on_table) {
        if (pairs_of(t->hand[0]) >> card & 1 && t->won[t->leader]) {
            t->trump = card / 6;
            t->total[t->leader] += VALUES[t->trump];
        }
        t->winning = winning_cards(card, t->trump);
        t->holder = 0;
    } else if (t->winning >> card & 1) {
        t->winning = winning_cards(card, t->trump);
        t->holder = t->on_table;
    }
    t->hand[t->on_table] ^= 1u << card;
    t->card[t->on_table++] = card;
    if (t->on_table < 3) return;
    int holder = t->holder, winner = (t->leader + holder) % 3;
    uint32_t after[3] = {t->hand[0], t->hand[1], t->hand[2]};
    for (int seat = 0; seat < 3; seat++) {
        t->total[winner] += POINTS[t->card[seat] % 6];
        t->hand[seat] = after[(seat + holder) % 3];
    }
    t->won[winner]++;
    t->leader = winner;
    t->on_table = 0;
}

static uint32_t hand_of(const struct table *t, int place) { return t->hand[(place - t->leader + 3) % 3]; }

/* More than this the declarer cannot take any more. */
static int most(const struct table *t) {
    int sum = points(t->hand[0] | t->hand[1] | t->hand[2]);
    uint32_t hand = hand_of(t, 0), queens = hand & hand >> 1 & QUEENS;
    for (; queens; queens &= queens - 1) sum += VALUES[lowest(queens) / 6];
    return sum;
}

static uint64_t key_of(const struct table *t) {
    uint64_t left = t->hand[0] | t->hand[1] | t->hand[2], key = left | (uint64_t)t->leader << 24;
    if (t->trump >= 0 && left & 63u << 6 * t->trump) key |= (uint64_t)(t->trump + 1) << 26;
    for (int place = 0; place < 3; place++)
        if (t->won[place] && pairs_of(hand_of(t, place))) key |= 1ull << (29 + place);
    return key | generation << 32;
}

static uint32_t slot_of(uint64_t key) {
    uint32_t slot = (uint32_t)(key * 0x9E3779B97F4A7C15ull >> 46);
    while (known[slot].key != key && known[slot].key >> 32 == generation) slot = (slot + 1) & (SLOTS - 1);
    return slot;
}

static int next_lead(const struct table *t, uint32_t left) {
    uint32_t pairs = t->won[t->leader] ? pairs_of(t->hand[0]) & left & QUEENS : 0;
    if (pairs) return dearest(pairs);
    uint32_t masters = left & ~beaten(t->hand[1] | t->hand[2]);
    return masters ? dearest(masters) : cheapest(left);
}

/* Cards of the last hand of a trick that cannot do better than a neighbour of theirs. */
static uint32_t no_better(const struct table *t, int card, int kept, uint32_t others) {
    uint32_t hand = t->hand[2], pairs = pairs_of(hand);
    if (pairs >> card & 1) return 0;
    uint32_t suit = 63u << card / 6 * 6;
    uint32_t foreign = (t->hand[0] | t->hand[1]) & suit, same = others & suit & ~pairs;
    if (kept) {
        same &= (1u << card) - 1;
        uint32_t below = foreign & ((1u << card) - 1);
        below |= below >> 1;
        below |= below >> 2;
        return same & ~(below | below >> 4);
    }
    same &= -(2u << card);
    uint32_t above = foreign & -(2u << card);
    return above ? same & ((above & -above) - 1) : same;
}

static int lead(int depth, int alpha, int beta);

static int follow(int depth, int base, int alpha, int beta) {
    struct table *t = &tables[depth], *next = &tables[depth + 1];
    int on_table = t->on_table, holding = t->holder;
    int wants_most = (t->leader + on_table) % 3 == 0;
    int ours = wants_most == ((t->leader + holding) % 3 == 0), last = on_table == 2;
    uint32_t left = legal(t), winning = t->winning, hand = t->hand[on_table];
    int best = wants_most ? -1 : MOST;
    while (left) {
        uint32_t taking = left & winning;
        int card = taking ? dearest(taking) : ours ? dearest(left) : cheapest(left), value;
        left &= ~(1u << card);
        if (last) left &= ~no_better(t, card, taking || ours, taking ? taking : left);
        nodes++;
        if (last) {
            *next = *t;
            play(next, card);
            int gain = next->total[0] - base;
            value = gain + lead(depth + 1, alpha - gain, beta - gain);
        } else {
            play(t, card);
            value = follow(depth, base, alpha, beta);
            t->hand[on_table] = hand, t->winning = winning, t->holder = holding, t->on_table = on_table;
        }
        if (wants_most) {
            if (value > best) best = value;
            if (value > alpha) alpha = value;
        } else {
            if (value < best) best = value;
            if (value < beta) beta = value;
        }
        if (alpha >= beta) break;
    }
    return best;
}

/* Value before a trick: exact if between alpha and beta, else a bound on the same side. */
static int lead(int depth, int alpha, int beta) {
    struct table *t = &tables[depth];
    uint32_t hand = t->hand[0];
    if (!hand) return 0;
    int lower = 0, upper = MOST, remembered = NO_ACTION, keeps = (hand & (hand - 1)) != 0;
    uint64_t key = 0;
    uint32_t slot = 0;
    if (keeps) {
        upper = most(t);
        if (upper <= alpha) return upper;
        key = key_of(t);
        slot = slot_of(key);
        if (known[slot].key == key) {
            uint32_t entry = known[slot].entry;
            lower = entry & BOUND;
            if ((int)(entry >> 12 & BOUND) < upper) upper = entry >> 12 & BOUND;
            remembered = entry >> 24;
        }
    }
    if (lower >= beta || lower >= upper) return lower;
    if (upper <= alpha) return upper;
    int low = alpha > lower ? alpha : lower, high = beta < upper ? beta : upper;
    int wants_most = t->leader == 0, best = wants_most ? -1 : MOST, best_card = remembered;
    int base = t->total[0], before = t->total[t->leader], trump = t->trump;
    uint32_t left = hand;
    while (left) {
        int card = remembered != NO_ACTION ? remembered : next_lead(t, left);
        remembered = NO_ACTION;
        left &= ~(1u << card);
        nodes++;
        play(t, card);
        int value = follow(depth, base, low, high);
        t->hand[0] = hand, t->on_table = 0, t->trump = trump, t->total[t->leader] = before;
        if (wants_most ? value > best : value < best) {
            best = value, best_card = card;
            if (wants_most && value > low) low = value;
            if (!wants_most && value < high) high = value;
        }
        if (low >= high) break;
    }
    if (keeps) {
        if (best <= alpha) upper = best < upper ? best : upper;
        else if (best >= beta) lower = best > lower ? best : lower;
        else lower = upper = best;
        slot = slot_of(key);
        known[slot].key = key;
        known[slot].entry = (uint32_t)lower | (uint32_t)upper << 12 | (uint32_t)best_card << 24;
    }
    return best;
}

int main(int argc, char **argv) {
    static struct table deals[MOST_DEALS];
    int count = 0;
    if (argc != 2) return fprintf(stderr, "usage: solver SECONDS < deals\n"), 2;
    for (int half = 0; half < 1 << 12; half++)
        for (int bit = 0; bit < 12; bit++) half_points[half] += (half >> bit & 1) * POINTS[bit % 6];
    while (count < MOST_DEALS
           && scanf("%u %u %u", &deals[count].hand[0], &deals[count].hand[1], &deals[count].hand[2]) == 3)
        deals[count++].trump = -1;
    uint64_t sum = 0, solved = 0;
    double seconds = 0;
    clock_t begin = clock();
    do {
        for (int deal = 0; deal < count; deal++, solved++) {
            generation++;
            tables[0] = deals[deal];
            sum += (uint64_t)lead(0, -1, MOST);
        }
        seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    } while (seconds < atof(argv[1]));
    printf("%llu %llu %llu %.6f\n", (unsigned long long)sum, (unsigned long long)nodes,
           (unsigned long long)solved, seconds);
    return 0;
}
