// Sentences and short forms, on screen and spoken. Templates come from the server (gettext).

import { seenBy, visible } from "./model.js";

let texts = {};

export function useTexts(given) {
  texts = given;
}

/** Add the words of a part that is loaded later. */
export function useMoreTexts(given) {
  texts = { ...texts, ...given };
}

/** The template `key` with its values; a list of templates is chosen from by `n` (plural forms). */
export function text(key, values = {}) {
  let template = texts[key] ?? key;
  if (Array.isArray(template)) template = template[Math.min(values.n, template.length - 1)];
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export const has = (key) => key in texts;

const known = (key, otherwise) => (has(key) ? text(key) : otherwise);

/** A number with the typographic minus; `signed` adds a plus. */
export const number = (amount) => (amount < 0 ? `\u2212${-amount}` : String(amount));
export const signed = (amount) => (amount > 0 ? `+${amount}` : number(amount));

export const cardWords = (card) =>
  card === null
    ? text("hidden")
    : text("card", { rank: text(`rank-${card[0]}`), suit: text(`suit-${card[1]}`) });

export const verdictWord = (verdict) => known(`verdict-${verdict}`, verdict);

/** `bolt_penalty1` → `["bolt_penalty", 1]`. */
export const splitEvent = (named) => [named.slice(0, -1), Number(named.at(-1))];

export function namedEvents(end, limit) {
  const lines = end.events.map((named) => {
    const [name, seat] = splitEvent(named);
    return has(`event-${name}`) ? text(`event-${name}`, { seat }) : text("other", { seat, event: name });
  });
  end.barrel.forEach((sits, seat) => {
    if (sits && end.attempts[seat]) lines.push(text("stays", { seat, attempts: end.attempts[seat], limit }));
  });
  return lines;
}

const cardIs = (key, event, card, more) => text(key, { seat: event.seat, card: cardWords(card), ...more });

function giveWords(event, cards) {
  const [to, other] = event.to;
  if (cards.length === 1) return cardIs("give-one", event, cards[0], { to });
  const both = { other_card: cardWords(cards[1]) };
  if (to === null) return cardIs("give-away", event, cards[0], both);
  return cardIs(other === null ? "give-lay" : "give", event, cards[0], { to, other_to: other, ...both });
}

function widowWords(event, cards) {
  const known = cards.some((card) => card !== null);
  const words = known ? cards.map(cardWords).join(", ") : text(cards.length === 3 ? "hidden-cards" : "hidden-two");
  return text(event.pile ? "widow-pile" : "widow", { seat: event.seat, pile: event.pile, cards: words });
}

const captions = {
  cut: (event, cards, shown, limit, card) => cardIs(event.fined ? "cut-fined" : "cut", event, card),
  draw: (event, cards, shown, limit, card) => cardIs("draw", event, card),
  deal: (event) => text(event.redeal ? "deal-again" : "deal", event),
  redeal: (event) =>
    text("redeal", { seat: event.seat, reason: known(`reason-${event.reason}`, event.reason) }),
  bid: (event) => text(event.forced ? "bid-forced" : "bid", event),
  contract: (event) =>
    text([null, event.contract].includes(event.bid) ? "contract" : "contract-raised", event),
  concede: (event) => text(event.contract === null ? "throw" : "concede", event),
  widow: widowWords,
  give: giveWords,
  play(event) {
    const values = {
      ...event,
      card: cardWords(event.card),
      suit: text(`suit-${event.card[1]}`),
      points: event.marriage,
    };
    const announced = event.card[0] === "A" ? "announce-aces" : "announce";
    const sentence = text(event.marriage ? announced : event.lead ? "lead" : "play", values);
    if (!event.won) return sentence;
    return `${sentence} ${text("trick", { trick: event.trick, seat: event.won.seat, points: event.won.points })}`;
  },
  fault(event, cards, shown) {
    const verdict = verdictWord(event.verdict);
    if (event.fallback === null) return text("fault-start", { seat: event.seat, verdict });
    return text(shown ? "fault" : "fault-hidden", { seat: event.seat, verdict, fallback: event.fallback });
  },
  deal_end: (event, cards, shown, limit) =>
    [
      text(`end-${endOf(event)}`, { deal: event.deal, seat: event.declarer, contract: event.contract }),
      text("totals", { totals: event.after.map(number).join(", ") }),
      ...namedEvents(event, limit),
    ].join(" "),
  match_end(event) {
    const seats = event.places
      .map((place, seat) => ({ place, seat }))
      .sort((a, b) => a.place - b.place || a.seat - b.seat);
    return [
      text(has(`over-${event.termination}`) ? `over-${event.termination}` : "over-deal_limit", {
        seat: seats[0].seat,
      }),
      text("places", { places: seats.map((each) => text("place", each)).join(", ") }),
      text("totals", { totals: event.totals.map(number).join(", ") }),
    ].join(" ");
  },
};

/** `made`, `failed`, `conceded` or `thrown`; `open` where there is no declarer. */
export const endOf = ({ result, declarer }) => (declarer === null && result !== "thrown" ? "open" : result);

/** One or two sentences for a step, with only what this view may know. `limit` = attempts on the barrel. */
export function caption(event, { view, seat, players, limit }) {
  const shows = (field, index) => visible(seenBy(event, field, index, players), view, seat, players);
  const cards = event.cards?.map((card, index) => (shows("cards", index) ? card : null));
  const make = captions[event.event];
  if (make)
    return make(event, cards, shows("fallback", 0), limit, shows("card", 0) ? (event.card ?? null) : null);
  return has(event.event) ? text(event.event, event) : text("other", { ...event, event: event.event });
}

const QUIET = 250;

export class Speech {
  constructor(region) {
    this.region = region;
    this.last = "";
    this.timer = null;
  }

  /** `prefix` is put before a text that equals the one before, which would not be spoken again. */
  say(words, prefix) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const spoken = words === this.last ? `${prefix}. ${words}` : words;
      this.last = words;
      this.region.textContent = spoken;
    }, QUIET);
  }
}
