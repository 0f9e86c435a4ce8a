// What is told in words: the transcript of the deal on show, and its score sheet.

import { element, glyph, hiddenWords, inline, seatNo, suitSign, svgNode } from "./cards.js";
import { seenBy, visible } from "./model.js";
import { writeAddress } from "./navigation.js";
import { endOf, has, namedEvents, number, signed, text, useMoreTexts, verdictWord } from "./words.js";

export class Moves {
  constructor(root) {
    Object.assign(this, { root, links: new Map(), scrolled: 0, room: 0, tops: null, current: null });
    root.addEventListener("scroll", () => (this.scrolled = root.scrollTop), { passive: true });
    new ResizeObserver(() => {
      this.room = root.clientHeight;
      this.tops = null;
    }).observe(root);
  }

  /** Draw the deal's steps for a view; called when deal, view or seat change, not on every step. */
  useDeal(deal, parts, place, players) {
    Object.assign(this, { deal, place, players });
    const groups = parts.map((part) => this.group(part));
    this.root.replaceChildren(...groups);
    this.links = new Map(
      [...this.root.querySelectorAll("a")].map((link) => [Number(link.dataset.step), link]),
    );
    this.tops = null;
    this.root.scrollTop = this.scrolled = 0;
  }

  group(part) {
    const name =
      part.key === "trick" ? text("trick-label", { trick: part.trick }) : text(`stretch-${part.key}`);
    const list = element("ol", "", ...part.steps.map((step) => this.item(step)));
    const last = part.steps.map((step) => this.deal.events[step]).findLast((event) => event.won);
    if (last)
      list.append(
        element(
          "li",
          "trick-points",
          element("span", "arrow", "→"),
          seatNo(last.won.seat),
          ` ${last.won.points}`,
        ),
      );
    const section = element("section", `moves-group of-${part.key}`, element("h3", "", name), list);
    return section;
  }

  item(step) {
    const link = element("a", "", ...this.words(this.deal.events[step]));
    link.href = writeAddress({ ...this.place, deal: this.deal.deal, step });
    link.dataset.step = step;
    return element("li", `is-${this.deal.events[step].event}`, link);
  }

  words(event) {
    const { view, seat } = this.place;
    const shown = (field, index) =>
      visible(seenBy(event, field, index, this.players), view, seat, this.players);
    const cards = event.cards?.map((card, index) => inline(shown("cards", index) ? card : null)) ?? [];
    switch (event.event) {
      case "deal":
        return [text(event.redeal ? "moves-dealt-again" : "moves-dealt"), " ", seatNo(event.dealer)];
      case "cut":
        return [seatNo(event.seat), " ", text("moves-cut"), inline(shown("card", 0) ? event.card : null)];
      case "blind":
        return [seatNo(event.seat), " ", text("said-blind")];
      case "look":
        return [seatNo(event.seat), " ", text("said-look")];
      case "buy":
        return [seatNo(event.seat), " ", text("moves-buy"), " ", element("b", "", String(event.bid))];
      case "draw":
        return [seatNo(event.seat), " ", text("moves-draw"), inline(shown("card", 0) ? event.card : null)];
      case "redeal":
        return [
          seatNo(event.seat),
          ` ${has(`reason-${event.reason}`) ? text(`reason-${event.reason}`) : event.reason}: `,
          ...event.hand.map(inline),
        ];
      case "bid":
        return [
          seatNo(event.seat),
          " ",
          event.forced ? `${text("forced")} ` : "",
          element("b", "", String(event.bid)),
        ];
      case "pass":
        return [seatNo(event.seat), " ", text("said-pass")];
      case "widow":
        return [seatNo(event.seat), " ", text("moves-widow"), " ", ...cards];
      case "give":
        return [
          seatNo(event.seat),
          " ",
          text("moves-give"),
          ...event.to.flatMap((to, index) => [" ", to === null ? text("aside") : seatNo(to), cards[index]]),
        ];
      case "contract":
        return [
          seatNo(event.seat),
          " ",
          text("moves-contract"),
          " ",
          element(
            "b",
            "",
            [null, event.contract].includes(event.bid) ? String(event.contract) : `${event.bid} → ${event.contract}`,
          ),
        ];
      case "concede":
        return [seatNo(event.seat), " ", text("conceded"), ` ${event.contract ?? ""}`];
      case "play": {
        const play = [seatNo(event.seat), inline(event.card)];
        if (event.marriage)
          play.push(element("b", "announced", hiddenWords(text("moves-announced")), `+${event.marriage}`));
        return play;
      }
      case "fault":
        return [seatNo(event.seat), " ", glyph("fault"), ` ${verdictWord(event.verdict)}`];
      case "deal_end":
        return event.declarer === null
          ? [text(endOf(event))]
          : [seatNo(event.declarer), ` ${text(event.result)} ${event.contract}`];
      case "match_end":
        return [text("moves-over")];
      default:
        return [seatNo(event.seat), ` ${event.event}`];
    }
  }

  /** Mark the current step and keep it in view, scrolling this panel only, never the page. */
  show(step) {
    this.current?.removeAttribute("aria-current");
    this.current = this.links.get(step);
    this.current?.setAttribute("aria-current", "step");
    this.tops ??= this.measure();
    const top = this.tops.get(step);
    if (top < this.scrolled + 24 || top > this.scrolled + this.room - 48)
      this.root.scrollTop = top - this.room / 2;
  }

  /** Measured once a deal: asking for a position at every step would lay out the page at every step. */
  measure() {
    const above = this.root.getBoundingClientRect().top - this.root.scrollTop;
    return new Map([...this.links].map(([step, link]) => [step, link.getBoundingClientRect().top - above]));
  }

  focus() {
    this.root.querySelector("[aria-current]")?.focus({ preventScroll: true });
  }
}

const EMPTY = "–";
const NUMBERS = ["tricks", "cards", "total"];

const line = (...children) => element("span", "line", ...children);
const orDash = (children) => (children.length ? children : [EMPTY]);

export function resultWords({ result }) {
  return element("span", `result ${result}`, glyph(result === "made" ? "tick" : "cross"), ` ${text(result)}`);
}

function roleWord(end, seat) {
  if (!end.hands[seat].length) return text("sits-out");
  if (end.declarer === null) return EMPTY;
  return text(end.declarer === seat ? "declarer" : "defender");
}

/** One seat's cells by field. `groups` says which line a ledger entry's cause belongs to; the rest is base. */
function seatCells(end, seat, groups) {
  const entries = end.ledger.filter((entry) => entry.seat === seat);
  const of = (wanted) => entries.filter(({ cause }) => (groups[cause] ?? "base") === wanted);
  const named = ({ cause, amount }) => line(`${text(`cause-${cause}`)} ${signed(amount)}`);
  const declares = end.declarer === seat;
  const played = ["made", "failed"].includes(end.result);
  const [raw, rounded] = [end.cards[seat], end.rounded[seat]];
  const marriages = end.marriages[seat].map(([suit, value]) =>
    suit === "A"
      ? line(`${text("aces")} ${value}`)
      : line(suitSign(suit, "ink-suit"), hiddenWords(text(`suit-${suit}`)), ` ${value}`),
  );
  const barrel = of("barrel").map(named);
  if (end.events.includes(`sit${seat}`)) barrel.unshift(line(text("sits"), " "));
  if (end.barrel[seat] && end.attempts[seat]) barrel.push(line(text("attempt", { n: end.attempts[seat] })));
  return {
    role: [roleWord(end, seat)],
    contract: declares ? [`${end.contract ?? ""} `, resultWords(end)] : [EMPTY],
    tricks: [played ? String(end.tricks[seat]) : EMPTY],
    cards: [!played ? EMPTY : raw === rounded ? String(raw) : `${raw} → ${rounded}`],
    marriages: orDash(marriages),
    base: orDash(of("base").map(named)),
    fines: orDash(of("fines").map(named)),
    barrel: orDash(barrel),
    total: [`${number(end.before[seat])} → `, element("b", "", number(end.after[seat]))],
  };
}

/** A table of the deal: one row a seat when `wide`, else one column a seat (phones, side panel). */
function sheetTable(end, names, wide, groups) {
  const head = (scope, ...children) => Object.assign(element("th", "", ...children), { scope });
  const columns = names.map((_, seat) => seatCells(end, seat, groups));
  const fields = Object.keys(columns[0]);
  const cell = (seat, field) =>
    element("td", NUMBERS.includes(field) ? "number" : "", ...columns[seat][field]);
  const seatHead = (seat, scope) => head(scope, seatNo(seat), element("bdi", "", names[seat]));
  const fieldHead = (field, scope) => head(scope, text(`sheet-${field}`));
  const seats = names.map((_, seat) => seat);
  const [across, down] = wide ? [fields, seats] : [seats, fields];
  const [acrossHead, downHead] = wide ? [fieldHead, seatHead] : [seatHead, fieldHead];
  const corner = wide ? text("sheet-seat") : hiddenWords(text("sheet-field"));
  // A phone's layer leaves out what did not happen to anybody.
  const nothing = (field) => !wide && columns.every((cells) => cells[field][0] === EMPTY);
  const rows = down.map((one) =>
    element(
      "tr",
      nothing(one) ? "nothing" : "",
      downHead(one, "row"),
      ...across.map((other) => (wide ? cell(one, other) : cell(other, one))),
    ),
  );
  return element(
    "table",
    wide ? "sheet wide" : "sheet",
    element("caption", "vh", text("sheet-caption", { deal: end.deal })),
    element(
      "thead",
      "",
      element("tr", "", head("col", corner), ...across.map((one) => acrossHead(one, "col"))),
    ),
    element("tbody", "", ...rows),
  );
}

/** Sheet, sum of the card points and a sentence for each event that fired. */
export function sheet(end, names, { wide, limit, over, groups }) {
  const block = element("div", "sheet-block", sheetTable(end, names, wide, groups));
  const points = end.cards.reduce((total, each) => total + each, 0);
  const lines = [...namedEvents(end, limit), ...(over ? [over] : [])];
  if (["made", "failed"].includes(end.result))
    block.append(element("p", "sheet-sum", text("card-points", { points })));
  if (lines.length)
    block.append(element("ul", "sheet-events", ...lines.map((each) => element("li", "", each))));
  return block;
}

/** The tab list: arrow keys move along it, one panel shows. */
export class Tabs {
  constructor(root, opened) {
    this.opened = opened;
    this.tabs = [...root.querySelectorAll("[role=tab]")];
    for (const [index, tab] of this.tabs.entries()) {
      tab.addEventListener("click", () => this.open(tab.dataset.tab));
      tab.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const next = this.tabs[(index + by + this.tabs.length) % this.tabs.length];
        this.open(next.dataset.tab);
        next.focus();
      });
    }
  }

  open(name) {
    for (const tab of this.tabs) {
      const open = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !open;
    }
    this.opened(name);
  }
}

/** Load the analysis, which brings its own module, style sheet and words; `go` shows a step of a deal. */
export async function loadAnalysis(viewer, go) {
  const { analysis: page, names } = viewer.page;
  useMoreTexts(page.texts);
  document.head.append(Object.assign(element("link"), { rel: "stylesheet", href: page.style }));
  const { AnalysisPanel } = await import(page.script);
  const tools = { element, hiddenWords, inline, number, seatNo, signed, svgNode, text, writeAddress };
  return new AnalysisPanel(viewer.part("analysis"), { page, names, place: viewer.place, tools, go });
}
