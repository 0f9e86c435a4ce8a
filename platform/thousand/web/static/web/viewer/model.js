// What stood on the table: folds the events of one deal into a picture. Pure, and no rule of the game:
// winners, points, trump and totals are read from the events, visibility from each event's `see` masks.

const BLIND_BID = 120;
const SUITS = "SCDH";
const RANKS = "ATKQJ9";

/** Sort key of a card in a hand: spades, clubs, diamonds, hearts; in each ace, ten, king, queen, jack, nine. */
export const order = (card) => SUITS.indexOf(card[1]) * 6 + RANKS.indexOf(card[0]);

export const everybody = (players) => (1 << players) - 1;

/** The mask of seats that may see `field` of an event (or its element `index`); no mask means everybody. */
export function seenBy(event, field, index, players) {
  const mask = event.see?.[field];
  if (mask === undefined) return everybody(players);
  return Array.isArray(mask) ? mask[index] : mask;
}

/** May a reader with this view (`all`, `seat` or `public`) of `seat` see what `mask` allows? */
export function visible(mask, view, seat, players) {
  if (view === "all") return true;
  return view === "seat" ? Boolean(mask & (1 << seat)) : mask === everybody(players);
}

/** What stands for the `deal` event where a match ended at the cut. */
const undealt = ({ dealer }, before, players) => ({
  dealer,
  forehand: (dealer + 1) % players,
  hands: Array(players).fill([]),
  totals: before.after ?? Array(players).fill(0),
});

/** The deals of a match, each with the counters it began with: those the deal before ended with. */
export function readDeals({ deals, players }) {
  const zero = Array(players).fill(0);
  let before = { barrel: zero.map(() => false), attempts: zero, falls: zero, bolts: zero, conc: zero };
  return deals.map(({ deal, events }) => {
    const end = events.findLast((event) => event.event === "deal_end") ?? null;
    const dealt = events.find((event) => event.event === "deal") ?? undealt(events[0], before, players);
    const read = { deal, events, dealt, end, before, cpu: null };
    if (end) before = end;
    return read;
  });
}

/** Hundredths of a second of CPU time each seat had used before each action: `used[seat][action]`. */
export function cpuUsed({ deals, players, cpu }) {
  const used = Array.from({ length: players }, () => [0]);
  const seats = [];
  for (const { events } of deals)
    for (const event of events) if (event.action !== undefined) seats[event.action] = event.seat;
  cpu.forEach((spent, action) => {
    used.forEach((row, seat) => row.push(row[action] + (seats[action] === seat ? spent : 0)));
  });
  return used;
}

function blankSeat(seat, before, total) {
  return {
    seat,
    total,
    barrel: before.barrel[seat],
    attempts: before.attempts[seat],
    falls: before.falls[seat],
    bolts: before.bolts[seat],
    conc: before.conc[seat],
    hand: [],
    said: null,
    passed: false,
    taken: 0,
    announced: 0,
    tricks: 0,
    fault: null,
  };
}

function blankPicture(deal, event, players, faults) {
  const seats = event.totals.map((total, seat) => blankSeat(seat, deal.before, total));
  event.hands.forEach((hand, seat) => {
    seats[seat].hand = hand.map((card, index) => ({
      card,
      see: seenBy(event, "hands", seat, players),
      index,
    }));
  });
  seats.forEach((each) => (each.fault = faults[each.seat] ?? null));
  return {
    dealer: event.dealer,
    forehand: event.forehand,
    kind: event.kind,
    redeal: event.redeal,
    seats,
    // The event's mask has no element a card here: a widow that lies open has none at all.
    widow: event.widow.map((card) => ({ card, see: seenBy(event, "widow", 0, players) })),
    widowPlace: "table",
    piles: event.piles ?? [],
    pile: null,
    dead: event.dead ?? [],
    stock: event.stock ?? [],
    laid: 0,
    sitsOut: event.hands.map((hand) => !hand.length),
    given: [],
    bid: null,
    declarer: null,
    contract: null,
    raised: null,
    conceded: false,
    trump: null,
    trumpSeat: null,
    trumpPoints: null,
    oldTrump: null,
    announced: null,
    trick: { number: 0, cards: [], winner: null, points: 0 },
    captured: [],
    end: null,
    over: null,
    turn: null,
    action: null,
  };
}

/** The table between two deals, while the pack is cut: nobody has cards yet. */
function cutPicture(deal, event, players, faults) {
  const nothing = { hands: deal.dealt.hands.map(() => []), widow: [], piles: [], dead: [], stock: [], see: {} };
  const told = { ...deal.dealt, ...nothing, dealer: event.dealer, forehand: (event.dealer + 1) % players };
  return { ...blankPicture(deal, told, players, faults), kind: "normal", sitsOut: [] };
}

const apply = {
  cut(p, event) {
    p.seats[event.seat].said = { word: "cut" };
  },
  redeal(p, event) {
    p.seats[event.seat].said = { word: "redeal" };
    p.seats[event.seat].hand.forEach((held) => (held.see = -1));
    p.shown = event.seat;
  },
  bid(p, event) {
    if (p.kind === "blind") p.kind = "normal"; // whoever bids over a blind bid plays with open eyes
    p.bid = { seat: event.seat, bid: event.bid };
    p.seats[event.seat].said = { word: "bid", bid: event.bid, forced: event.forced };
  },
  blind(p, event) {
    p.kind = "blind";
    p.bid = { seat: event.seat, bid: BLIND_BID };
    p.seats[event.seat].said = { word: "blind" };
  },
  look(p, event) {
    lookAtOwnCards(p.seats[event.seat]);
  },
  pass(p, event) {
    p.seats[event.seat].said = { word: "pass" };
    p.seats[event.seat].passed = true;
  },
  widow(p, event, players) {
    p.seats.forEach(lookAtOwnCards); // the auction is over: whoever played blind sees its cards now
    const hand = p.seats[event.seat].hand;
    const owner = 1 << event.seat;
    p.declarer = event.seat;
    p.widow = event.cards.map((card, index) => ({ card, see: seenBy(event, "cards", index, players) }));
    p.widowPlace = "hand";
    if (event.pile) p.pile = event.pile;
    hand.push(...event.cards.map((card) => ({ card, see: owner, fresh: true })));
    hand.sort((a, b) => order(a.card) - order(b.card));
  },
  buy(p, event) {
    const cards = p.widow.map(({ card }) => card);
    const owner = p.seats[p.declarer];
    owner.hand = owner.hand.filter((held) => !cards.includes(held.card));
    const buyer = p.seats[event.seat];
    buyer.hand.push(...p.widow.map(({ card, see }) => ({ card, see, fresh: true })));
    buyer.hand.sort((a, b) => order(a.card) - order(b.card));
    buyer.said = { word: "bid", bid: event.bid };
    p.declarer = event.seat;
    p.bid = { seat: event.seat, bid: event.bid };
    if (p.contract !== null) p.contract = event.bid;
    p.seats.forEach((each) => (each.passed = false));
  },
  draw(p, event, players) {
    p.stock = p.stock.filter((card) => card !== event.card);
    const hand = p.seats[event.seat].hand;
    hand.push({ card: event.card, see: seenBy(event, "card", 0, players), fresh: true });
    hand.sort((a, b) => order(a.card) - order(b.card));
  },
  give(p, event, players) {
    const giver = p.seats[event.seat];
    giver.hand = giver.hand.filter((held) => !event.cards.includes(held.card));
    giver.hand.forEach((held) => (held.fresh = false));
    event.cards.forEach((card, index) => {
      p.given.push({ to: event.to[index], card, see: seenBy(event, "cards", index, players) });
      if (event.to[index] === null) return void (p.laid += 1);
      const hand = p.seats[event.to[index]].hand;
      hand.push({ card, see: 1 << event.to[index], fresh: true });
      hand.sort((a, b) => order(a.card) - order(b.card));
    });
  },
  contract(p, event) {
    p.declarer = event.seat;
    p.contract = event.contract;
    p.raised = event.contract === event.bid ? null : event.bid; // no bid: nothing was raised
    p.seats[event.seat].said = { word: "contract", bid: event.contract };
  },
  concede(p, event) {
    p.declarer = event.seat;
    p.contract = event.contract;
    p.conceded = true;
    p.seats[event.seat].said = { word: "concede" };
  },
  play(p, event) {
    const player = p.seats[event.seat];
    if (p.trick.winner !== null || p.trick.number !== event.trick) startTrick(p, event.trick);
    p.trick.cards.push({ seat: event.seat, card: event.card });
    player.hand.find((held) => held.card === event.card).played = true;
    if (event.marriage) {
      player.announced += event.marriage;
      player.taken += event.marriage;
      p.announced = event.card;
    }
    if (event.marriage || event.trump !== p.trump) {
      p.oldTrump = p.trump;
      p.trumpSeat = event.seat;
      p.trumpPoints = event.marriage;
    }
    p.trump = event.trump;
    if (event.won) endTrick(p, event.won);
  },
  fault(p, event) {
    p.seats[event.seat].fault = event.verdict;
    p.seats[event.seat].faultNow = event;
  },
  deal_end(p, event, players) {
    p.end = event;
    startTrick(p, p.trick.number);
    p.widow = event.widow.map((card) => ({ card, see: everybody(players) }));
    if (event.given) {
      const laid = p.given.filter(({ to }) => to === null);
      p.given = [...event.given.map(([to, card]) => ({ to, card })), ...laid];
      p.given.forEach((each) => (each.see = everybody(players)));
    }
    p.nobodys = event.dead ?? [];
    p.seats.forEach((each, seat) => {
      each.hand = event.hands[seat].map((card) => ({ card, see: everybody(players) }));
      Object.assign(each, {
        total: event.after[seat],
        barrel: event.barrel[seat],
        attempts: event.attempts[seat],
        falls: event.falls[seat],
        bolts: event.bolts[seat],
        conc: event.conc[seat],
      });
    });
  },
  match_end(p, event) {
    p.over = event;
  },
};

function lookAtOwnCards({ seat, hand }) {
  for (const held of hand) held.see |= 1 << seat;
}

function startTrick(p, number) {
  p.captured = p.trick.cards;
  p.capturedBy = p.trick.winner;
  if (p.trick.winner !== null) p.seats.forEach((each) => each.hand.forEach((held) => (held.fresh = false)));
  p.trick = { number, cards: [], winner: null, points: 0 };
}

function endTrick(p, won) {
  p.trick.winner = won.seat;
  p.trick.points = won.points;
  p.seats.forEach((each, seat) => {
    each.taken = won.taken[seat];
    each.tricks = won.tricks[seat];
  });
}

/** The picture after step `step` (an index into the deal's events), ready to be drawn. */
export function picture(deal, step, players, faults) {
  let p = null;
  deal.events.slice(0, step + 1).forEach((event) => {
    const known = p ? faultsOf(p) : faults;
    if (event.event === "deal") p = blankPicture(deal, event, players, known);
    if (event.event === "cut") p = cutPicture(deal, event, players, known);
    p.announced = null;
    p.oldTrump = null;
    p.captured = [];
    p.shown = null;
    p.seats.forEach((each) => (each.faultNow = null));
    apply[event.event]?.(p, event, players);
    if (event.action !== undefined) p.action = event.action;
  });
  p.event = deal.events[step];
  p.step = step;
  const next = deal.events
    .slice(step + 1)
    .find((event) => event.action !== undefined || event.event === "deal_end");
  p.turn = next?.action === undefined || p.end ? null : next.seat;
  p.nextAction = next?.action ?? null;
  return p;
}

const faultsOf = (p) => Object.fromEntries(p.seats.map((each) => [each.seat, each.fault]));

/** The verdict each seat already had when each deal began: a fault holds for the rest of the match. */
export function faultsBefore(deals) {
  const known = {};
  return deals.map(({ events }) => {
    const before = { ...known };
    for (const event of events) if (event.event === "fault") known[event.seat] = event.verdict;
    return before;
  });
}

/** Where each stretch of a deal begins: `{step, key, trick?, trump?}` for the slider, keys and transcript. */
export function stretches(deal) {
  const found = [];
  let open = null;
  const begin = (step, key, trick) => {
    if (open?.key === key && open.trick === trick) return;
    found.push((open = { step, key, trick, steps: [] }));
  };
  deal.events.forEach((event, step) => {
    const kind = event.event === "fault" ? nextKind(deal.events, step) : event;
    if (kind.event === "pass" && open?.key === "widow") begin(step, "widow"); // nobody buys the widow over
    else if (AUCTION.includes(kind.event)) begin(step, "auction");
    else if (["widow", "give", "contract", "concede", "buy"].includes(kind.event)) begin(step, "widow");
    else if (kind.event === "play") begin(step, "trick", kind.trick);
    else if (kind.event === "deal_end") begin(step, "end");
    open?.steps.push(step);
  });
  return found;
}

const AUCTION = ["cut", "deal", "redeal", "bid", "pass", "blind", "look"];

const nextKind = (events, step) =>
  events.slice(step + 1).find((event) => event.event !== "fault") ?? { event: "deal" };

const lastStep = (deal) => deal.events.length - 1;

/** The place one step on (1) or back (-1), across deals, never around; null at the ends of the match. */
export function besideStep(deals, { deal, step }, direction) {
  const beside = step + direction;
  if (beside >= 0 && beside <= lastStep(deals[deal])) return { deal, step: beside };
  const other = deals[deal + direction];
  return other ? { deal: deal + direction, step: direction > 0 ? 0 : lastStep(other) } : null;
}

/** The start of the next or previous trick or phase; the ends of the match where there is none. */
export function besideStretch(deals, { deal, step }, direction) {
  const starts = stretches(deals[deal]).map((part) => part.step);
  const found =
    direction > 0 ? starts.find((start) => start > step) : starts.findLast((start) => start < step);
  if (found !== undefined) return { deal, step: found };
  const other = deals[deal + direction];
  if (!other) return { deal, step: direction > 0 ? lastStep(deals[deal]) : 0 };
  return { deal: deal + direction, step: direction > 0 ? 0 : stretches(other).at(-1).step };
}

/** The next score sheet: the end of this deal, or of the next one when this one is at its end. */
export function nextSheet(deals, { deal, step }) {
  const next = step < lastStep(deals[deal]) ? deal : deal + 1;
  return deals[next] ? { deal: next, step: lastStep(deals[next]) } : null;
}
