// Draws one picture on the stage: seat panels with hands, the felt with widow, trick and contract.

import { element, faceDown, faceUp, glyph, hiddenWords, inline, seatNo, suitSign } from "./cards.js";
import { everybody, visible } from "./model.js";
import { drawRace, moveRace } from "./race.js";
import { has, number, text, verdictWord } from "./words.js";

const PLACES = {
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
};

export class Table {
  /** `stage` is the server's markup; `facts` holds what the ruleset fixes (limits, marriage values). */
  constructor(stage, facts) {
    this.stage = stage;
    this.facts = facts;
    this.players = facts.players;
    this.parts = Object.fromEntries(
      [...stage.querySelectorAll("[data-part]")].map((n) => [n.dataset.part, n]),
    );
    this.seats = [...stage.querySelectorAll(".seat")].map((section) => ({
      section,
      ...Object.fromEntries([...section.querySelectorAll("[data-part]")].map((n) => [n.dataset.part, n])),
    }));
    this.seats.forEach(({ race }) => drawRace(race));
    this.keys = new Map();
  }

  /** `look` = {view, seat, options}. Draws everything that differs from what is there. */
  draw(picture, look) {
    this.look = look;
    this.backs = 0;
    this.stage.dataset.kind = picture.event.event;
    this.seats.forEach((_, seat) => this.drawSeat(picture, seat));
    this.drawWidow(picture);
    this.drawTrick(picture);
    this.drawContract(picture);
  }

  place(seat) {
    return PLACES[this.players][(seat - this.look.seat + this.players) % this.players];
  }

  sees(mask) {
    return mask === -1 || visible(mask, this.look.view, this.look.seat, this.players);
  }

  /** Call `draw` only when `key` differs from the last one under `name`. */
  once(name, key, draw) {
    if (this.keys.get(name) === key) return;
    this.keys.set(name, key);
    draw();
  }

  forget() {
    this.keys.clear();
  }

  drawSeat(picture, seat) {
    const { section, roles, said, fault, facts, total, race, hand, verdict } = this.seats[seat];
    const state = picture.seats[seat];
    const declares = picture.declarer === seat;
    section.className = `seat seat-${seat} at-${this.place(seat)}`;
    section.classList.toggle("declarer", declares);
    section.classList.toggle("sits-out", Boolean(picture.sitsOut[seat]));
    section.classList.toggle("on-move", picture.turn === seat);
    section.classList.toggle("faulty", Boolean(state.faultNow));
    this.once(
      `roles${seat}`,
      `${declares}${picture.contract}${picture.dealer}${picture.forehand}${picture.sitsOut[seat]}${picture.turn}${Boolean(picture.over)}`,
      () => roles.replaceChildren(...seatRoles(picture, seat)),
    );
    this.once(`said${seat}`, JSON.stringify([state.said, state.passed]), () => drawSaid(said, state));
    this.once(`verdict${seat}`, String(state.fault), () => {
      verdict.hidden = !state.fault;
      if (state.fault)
        verdict.replaceChildren(glyph("fault"), element("span", "word", verdictWord(state.fault)));
    });
    this.once(`fault${seat}`, JSON.stringify([state.faultNow, this.look.view, this.look.seat]), () =>
      this.drawFault(fault, state.faultNow),
    );
    total.textContent = number(state.total);
    moveRace(race, state.total);
    const used = this.facts.used?.[seat][picture.action === null ? 0 : picture.action + 1];
    this.once(`facts${seat}`, JSON.stringify([state, picture.contract, declares, used, picture.end, 1]), () =>
      facts.replaceChildren(...this.seatFacts(picture, state, declares, used)),
    );
    this.drawHand(hand, picture, seat);
  }

  drawFault(node, event) {
    node.hidden = !event;
    if (!event) return;
    const mask = event.see?.fallback ?? everybody(this.players);
    const fallback =
      event.fallback === null ? null : this.sees(mask) ? event.fallback : text("hidden-action");
    const note = this.facts.faultNotes?.[event.seat];
    node.replaceChildren(
      glyph("fault"),
      element("b", "", verdictWord(event.verdict)),
      ...(fallback === null ? [] : [" ", text("fallback"), " ", element("code", "", fallback)]),
      ...(note ? [Object.assign(element("q", "fault-note", note), { title: note })] : []),
    );
  }

  seatFacts(picture, state, declares, used) {
    const { boltLimit, attemptLimit } = this.facts;
    const list = [];
    const add = (name, words, ...drawing) => list.push(element("li", name, ...drawing, words));
    if (state.barrel)
      add("on-barrel", labelled("barrel", `${state.attempts}/${attemptLimit}`), glyph("barrel"));
    if (state.bolts)
      add(
        "bolts",
        labelled("bolts", `${state.bolts}/${boltLimit}`),
        ...Array.from({ length: state.bolts }, () => glyph("bolt", "glyph bolt")),
      );
    if (state.falls) add("falls", labelled("falls", state.falls), glyph("fall"));
    if (state.conc) add("conc", labelled("concessions", state.conc));
    const split = state.announced
      ? `${state.taken - state.announced}+${state.announced}`
      : String(state.taken);
    const goal = declares && picture.contract ? `/${picture.contract}` : "";
    const plays = !picture.end && !picture.sitsOut[state.seat];
    if (plays) add("taken", labelled("taken", split + goal, state.taken + goal));
    if (plays) add("tricks", text("tricks", { n: state.tricks }));
    if (used !== undefined) add("cpu", text("cpu", { seconds: (used / 100).toFixed(used < 1000 ? 2 : 1) }));
    return list;
  }

  drawHand(list, picture, seat) {
    const held = picture.seats[seat].hand.filter((each) => !each.played || this.look.options.keep);
    const onTable = new Set(picture.trick.cards.map(({ card }) => card));
    const items = held
      .filter((each) => !onTable.has(each.card))
      .map((each) => ({ ...each, open: this.sees(each.see) }));
    const still = items.filter((each) => !each.played).length;
    const from = this.backs;
    this.backs += items.filter((each) => !each.open).length;
    const legal = (picture.turn === seat && this.look.legal?.[picture.nextAction]) || [];
    const mark = (item) =>
      (item.fresh ? "+" : "") + (item.played ? "-" : "") + (legal.includes(item.card) ? "!" : "");
    const key = items.map((item) => (item.open ? item.card + mark(item) : "?")).join() + from;
    this.once(`hand${seat}`, key, () => {
      let back = from;
      const nodes = items.map((item, index) => {
        const node = element("li", "", item.open ? faceUp(item.card) : faceDown(back++));
        // Nothing of a hidden card shows: not its suit, and not which of the backs came from the widow.
        if (item.open) {
          node.classList.toggle("first", items[index - 1]?.card[1] !== item.card[1]);
          node.classList.toggle("fresh", Boolean(item.fresh));
          node.classList.toggle("gone", Boolean(item.played));
          node.classList.toggle("legal", legal.includes(item.card));
          markPair(node, item, items, this.facts.marriages);
        }
        return node;
      });
      list.dataset.count = nodes.length;
      list.setAttribute("aria-label", text("hand", { seat, cards: text("cards", { n: still }) }));
      list.replaceChildren(...nodes);
    });
  }

  drawWidow(picture) {
    const { widow, passed, widowLabel } = this.parts;
    const onTable = picture.widowPlace === "table" && !picture.end;
    // Face down for everybody until it is taken, whatever the view; then as far as this view saw it.
    const waiting = picture.piles.flatMap((pile, number) => pile.map((_, index) => ({ number, index })));
    const cards = onTable && waiting.length
      ? waiting.map(() => null)
      : picture.widow.map(({ card, see }) => (this.sees(see) && (!onTable || see) ? card : null));
    const from = this.backs;
    if (onTable) this.backs += cards.length;
    this.once("widow", JSON.stringify([cards, onTable, from]), () => {
      let back = from;
      widow.classList.toggle("taken", !onTable);
      widow.replaceChildren(
        ...cards.map((card, index) => {
          const apart = onTable && waiting[index]?.number && !waiting[index].index ? "apart" : "";
          return element("li", apart, onTable && card === null ? faceDown(back++) : inline(card));
        }),
      );
      widowLabel.hidden = !cards.length;
      widowLabel.textContent = widowTitle(picture, onTable && waiting.length);
    });
    this.drawRest(picture);
    const given = picture.given.map(({ to, card, see }) => [to, this.sees(see) ? card : null]);
    this.once("passed", JSON.stringify(given), () => {
      passed.hidden = !given.length;
      passed.replaceChildren(
        element("span", "label", text("passed")),
        ...given.map(([to, card]) =>
          element(
            "span",
            "pass-to",
            to === null ? text("aside") : seatNo(to),
            element("span", "arrow", "←"),
            inline(card),
          ),
        ),
      );
    });
  }

  /** What lies beside the table in games of two players: the other widow, a dead hand, a stock. */
  drawRest(picture) {
    const { rest } = this.parts;
    const heaps = [];
    const other = picture.pile ? picture.piles[2 - picture.pile].length : 0;
    if (picture.end) {
      if (picture.nobodys.length) heaps.push([text("nobodys"), picture.nobodys]);
    } else {
      if (other) heaps.push([text("widow-number", { n: 3 - picture.pile }), other + picture.laid]);
      if (picture.dead.length) heaps.push([text("dead-hand"), picture.dead.length + picture.laid]);
      if (picture.stock.length) heaps.push([text("stock"), picture.stock.length]);
    }
    this.once("rest", JSON.stringify(heaps), () => {
      rest.hidden = !heaps.length;
      rest.replaceChildren(
        ...heaps.map(([name, what]) =>
          element(
            "span",
            "heap",
            element("span", "label", name),
            ...(Array.isArray(what) ? what.map(inline) : [element("b", "", String(what))]),
          ),
        ),
      );
    });
  }

  drawTrick(picture) {
    const { trick, trickInfo } = this.parts;
    const { cards, winner, points, number: count } = picture.trick;
    const key = JSON.stringify([cards, winner, picture.announced, this.look.seat]);
    this.once("trick", key, () => {
      trick.setAttribute("aria-label", text("trick-label", { trick: count }));
      trick.replaceChildren(
        ...cards.map(({ seat, card }, index) => {
          const item = element(
            "li",
            `at-${this.place(seat)} seat-${seat}`,
            hiddenWords(text("by-seat", { seat })),
            faceUp(card),
          );
          if (index === 0) item.append(element("b", "lead-mark", "1"));
          if (winner === seat) {
            item.classList.add("won");
            item.append(element("span", "won-mark", glyph("tick"), hiddenWords(text("wins-trick"))));
          }
          if (picture.announced === card) item.classList.add("announced");
          return item;
        }),
      );
    });
    trickInfo.textContent =
      !count || picture.end
        ? ""
        : text(winner === null ? "trick-open" : "trick-done", { trick: count, points, seat: winner });
  }

  drawContract(picture) {
    const { contract, trump, kind, need, bidRow, contractRow } = this.parts;
    const { bid, declarer, raised } = picture;
    const settled = picture.contract !== null;
    contractRow.hidden = !settled;
    bidRow.hidden = settled || !bid;
    if (bid) this.parts.bid.replaceChildren(element("b", "", String(bid.bid)), " ", seatNo(bid.seat));
    if (settled) {
      const raise = raised === null ? "" : element("span", "raise", `${raised}\u2009→\u2009`);
      contract.replaceChildren(
        element("b", "", raise, String(picture.contract)),
        " ",
        seatNo(declarer),
        ...(picture.conceded ? [element("span", "stamp", text("conceded"))] : []),
      );
    }
    this.once(
      "trump",
      JSON.stringify([
        picture.trump,
        picture.oldTrump,
        picture.trumpPoints,
        picture.trumpSeat,
        picture.announced,
      ]),
      () => trump.replaceChildren(...trumpWords(picture)),
    );
    kind.hidden = picture.kind === "normal";
    kind.textContent = has(`kind-${picture.kind}`) ? text(`kind-${picture.kind}`) : picture.kind;
    need.hidden = !settled || picture.conceded || Boolean(picture.end);
    if (!need.hidden) need.replaceChildren(...needWords(picture));
  }
}

function seatRoles(picture, seat) {
  const roles = [];
  if (picture.over) {
    const place = picture.over.places[seat];
    const crown = place === 1 ? [glyph("crown")] : [];
    const words = [
      element("span", "word", text("place-is", { place })),
      element("span", "short", `${place}.`),
    ];
    roles.push(element("b", "role place", ...crown, ...words));
  }
  if (picture.turn === seat)
    roles.push(element("span", "role turn", glyph("turn"), element("span", "word", text("on-move"))));
  if (picture.declarer === seat) {
    const amount = picture.contract ?? picture.bid?.bid;
    roles.push(
      element(
        "span",
        "role is-declarer",
        element("span", "word", text("declarer")),
        element("span", "short", text("short-declarer")),
        element("span", "amount", amount ? ` ${amount}` : ""),
      ),
    );
  }
  if (picture.dealer === seat) roles.push(marked("D", "dealer"));
  if (picture.sitsOut[seat]) roles.push(element("span", "role is-out", text("sits-out")));
  if (picture.forehand === seat) roles.push(marked("F", "forehand"));
  return roles;
}

const widowTitle = ({ pile }, both) =>
  both ? text("two-widows") : pile ? text("widow-number", { n: pile }) : text("widow-label");

function marked(letter, role) {
  const mark = element("b", "role-mark", letter);
  mark.title = text(role);
  return element("span", `role is-${role}`, mark, element("span", "word", text(role)));
}

function drawSaid(node, { said, passed }) {
  node.hidden = !said || said.word === "contract"; // the declarer's mark says it
  if (node.hidden) return;
  node.classList.toggle("is-out", passed);
  node.textContent = said.bid === undefined ? text(`said-${said.word}`) : String(said.bid);
}

/** A fact with its word; phones show `short` words and values. */
const labelled = (key, value, shortValue = value) =>
  element(
    "span",
    "",
    element("span", "word", text(`fact-${key}`), " ", element("b", "", String(value))),
    element("span", "short", text(`short-${key}`), " ", element("b", "", String(shortValue))),
  );

function markPair(node, item, items, marriages) {
  const [rank, suit] = item.card;
  const partner = rank === "K" ? `Q${suit}` : rank === "Q" ? `K${suit}` : null;
  const other = items.find((each) => each.card === partner);
  if (!other?.open || other.played || item.played) return;
  node.classList.add(rank === "K" ? "pair-king" : "pair-queen");
  if (rank === "Q") node.append(element("span", "pair-value", String(marriages?.[suit] ?? "")));
}

function trumpWords({ trump, oldTrump, trumpPoints, trumpSeat, announced }) {
  if (!trump) return [text("no-trump")];
  const before =
    oldTrump && announced && oldTrump !== trump
      ? [
          element("s", "old-trump", suitSign(oldTrump, "ink-suit"), hiddenWords(text(`suit-${oldTrump}`))),
          " ",
        ]
      : [];
  return [
    ...before,
    element(
      "span",
      announced ? "trump-now" : "",
      suitSign(trump, "ink-suit"),
      hiddenWords(text(`suit-${trump}`)),
    ),
    element("b", "", trumpPoints ? ` ${trumpPoints} ` : " "),
    seatNo(trumpSeat),
  ];
}

function needWords({ declarer, contract, seats }) {
  const { taken, announced } = seats[declarer];
  const sum = announced ? `${taken - announced} + ${announced} = ${taken}` : String(taken);
  const enough = taken >= contract;
  return [
    element("span", "word", text("need", { seat: declarer, contract, sum }), " "),
    element(
      "b",
      enough ? "good" : "",
      enough ? glyph("tick") : "",
      enough ? hiddenWords(text("enough")) : text("short", { points: contract - taken }),
    ),
  ];
}
