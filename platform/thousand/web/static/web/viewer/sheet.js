// The score sheet of one deal, in the order scores are settled: points, base, fines, barrel, total.

import { element, glyph, hiddenWords, seatNo, suitSign } from "./cards.js";
import { namedEvents, number, signed, text } from "./words.js";

const EMPTY = "–";
const FINES = ["bolt_fine", "bolt_penalty", "third_concession", "concession_extra"];
const BARREL = ["barrel_fall", "barrel_cap", "barrel_frozen", "simultaneous", "knock_off", "three_falls", "dump_truck"];

const group = (cause) => (FINES.includes(cause) ? "fines" : BARREL.includes(cause) ? "barrel" : "base");
const causeWord = (cause) => text(`cause-${cause}`).replace(/^cause-/, "");

/** Amounts of one group of a seat's ledger lines, each with its cause, or a dash. */
function amounts(end, seat, wanted) {
  const lines = end.ledger.filter((line) => line.seat === seat && group(line.cause) === wanted);
  if (wanted === "base") return lines.length ? [signed(lines.reduce((sum, line) => sum + line.amount, 0))] : ["0"];
  const parts = lines.map((line) => element("span", "line", `${causeWord(line.cause)} ${signed(line.amount)}`));
  if (wanted === "barrel") {
    for (const named of end.events)
      if (named === `sit${seat}`) parts.unshift(element("span", "line", text("sits"), " "));
    if (end.barrel[seat] && end.attempts[seat]) parts.push(element("span", "line", text("attempt", { n: end.attempts[seat] })));
  }
  return parts.length ? parts : [EMPTY];
}

export function resultWords(end) {
  const made = end.result === "made";
  return element("span", `result ${end.result}`, glyph(made ? "tick" : "cross"), ` ${text(end.result)}`);
}

const rows = {
  role: (end, seat) => [text(end.declarer === seat ? "declarer" : "defender")],
  contract: (end, seat) => (end.declarer === seat ? [`${end.contract} `, resultWords(end)] : [EMPTY]),
  tricks: (end, seat) => [end.result === "conceded" ? EMPTY : String(end.tricks[seat])],
  cards: (end, seat) => {
    if (end.result === "conceded") return [EMPTY];
    return [end.cards[seat] === end.rounded[seat] ? String(end.cards[seat]) : `${end.cards[seat]} → ${end.rounded[seat]}`];
  },
  marriages: (end, seat) =>
    end.marriages[seat].length
      ? end.marriages[seat].map(([suit, value]) =>
          element("span", "line", suitSign(suit, "ink-suit"), hiddenWords(text(`suit-${suit}`)), ` ${value}`),
        )
      : [EMPTY],
  base: (end, seat) => amounts(end, seat, "base"),
  fines: (end, seat) => amounts(end, seat, "fines"),
  barrel: (end, seat) => amounts(end, seat, "barrel"),
  total: (end, seat) => [`${number(end.before[seat])} → `, element("b", "", number(end.after[seat]))],
};
const NUMBERS = ["tricks", "cards", "base", "total"];

/** A table of the deal: one row a seat when `wide`, else one column a seat (phones, side panel). */
export function sheetTable(end, names, wide) {
  const seats = names.map((_, seat) => seat);
  const fields = Object.keys(rows);
  const cell = (field, seat) => element("td", NUMBERS.includes(field) ? "number" : "", ...rows[field](end, seat));
  const seatHead = (seat, scope) => head(scope, seatNo(seat), element("bdi", "", names[seat]));
  const fieldHead = (field, scope) => head(scope, text(`sheet-${field}`));
  const table = element("table", wide ? "sheet wide" : "sheet");
  table.append(element("caption", "vh", text("sheet-caption", { deal: end.deal })));
  const top = element("tr", "", wide ? head("col", text("sheet-seat")) : head("col", hiddenWords(text("sheet-field"))));
  top.append(...(wide ? fields.map((field) => fieldHead(field, "col")) : seats.map((seat) => seatHead(seat, "col"))));
  const body = wide
    ? seats.map((seat) => element("tr", "", seatHead(seat, "row"), ...fields.map((field) => cell(field, seat))))
    : fields.map((field) => element("tr", "", fieldHead(field, "row"), ...seats.map((seat) => cell(field, seat))));
  table.append(element("thead", "", top), element("tbody", "", ...body));
  return table;
}

function head(scope, ...children) {
  const node = element("th", "", ...children);
  node.scope = scope;
  return node;
}

/** Sheet, sum of the card points and a sentence for each event that fired. */
export function sheet(end, names, { wide, limit, over }) {
  const block = element("div", "sheet-block", sheetTable(end, names, wide));
  const sum = end.cards.reduce((total, points) => total + points, 0);
  const lines = [...namedEvents(end, limit), ...(over ? [over] : [])];
  if (end.result !== "conceded") block.append(element("p", "sheet-sum", text("card-points", { points: sum })));
  if (lines.length) block.append(element("ul", "sheet-events", ...lines.map((line) => element("li", "", line))));
  return block;
}
