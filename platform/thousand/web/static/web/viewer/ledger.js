// The whole match: a row a deal, and the race of the totals as three stepped lines.

import { element, glyph, hiddenWords, seatNo, suitSign, svgNode } from "./cards.js";
import { number, signed, splitEvent, text } from "./words.js";

const EVENT_SIGNS = {
  bolt: "bolt",
  bolt_penalty: "bolt",
  sit: "barrel",
  fall: "fall",
  third_fall: "fall",
  knocked: "fall",
  dump: "truck",
  win: "flag",
};

export class Ledger {
  constructor(root, deals, names) {
    Object.assign(this, { root, deals, names });
    const table = element("table", "ledger");
    table.append(element("caption", "vh", text("ledger-caption")), element("thead", "", this.headRow()));
    const body = element("tbody");
    this.rows = this.deals.map((deal) => this.row(deal));
    body.append(...this.rows);
    table.append(body);
    this.chart = element("div", "race-chart");
    const scroller = element("div", "ledger-scroll", table);
    Object.assign(scroller, { tabIndex: 0 });
    scroller.setAttribute("role", "region");
    scroller.setAttribute("aria-label", text("ledger-caption"));
    this.root.replaceChildren(this.chart, scroller);
    this.drawChart();
  }

  headRow() {
    const head = (className, key, ...children) => {
      const node = element("th", className, ...(children.length ? children : [text(key)]));
      node.scope = "col";
      return node;
    };
    const row = element("tr");
    row.append(
      head("number", "ledger-deal"),
      head("", "ledger-dealer", element("abbr", "", text("ledger-dealer"))),
      head("", "ledger-declarer", element("abbr", "", text("ledger-declarer"))),
      head("number", "ledger-contract", element("abbr", "", text("ledger-contract"))),
      head("", "ledger-trump", element("abbr", "", text("ledger-trump"))),
      head("", "ledger-result", hiddenWords(text("ledger-result"))),
    );
    for (const [index, key] of ["dealer", "declarer", "contract", "trump"].entries())
      row.children[index + 1].firstChild.title = text(`title-${key}`);
    this.names.forEach((name, seat) => {
      const both = head("number sum", "", seatNo(seat), hiddenWords(text("ledger-seat", { name })));
      Object.assign(both, { scope: "colgroup", colSpan: 2, title: name });
      row.append(both);
    });
    row.append(head("events", "ledger-events"));
    return row;
  }

  row({ deal, events, dealt, end }) {
    const row = element("tr");
    const link = element("a", "", String(deal));
    link.href = `#deal=${deal}&step=end`;
    const head = element("th", "number", link);
    head.scope = "row";
    row.append(head, element("td", "", seatNo(dealt.dealer)));
    if (!end) {
      row.append(element("td", "", "–"));
      return row;
    }
    const trumps = events
      .filter(({ marriage, card }) => marriage && card[0] !== "A")
      .map(({ card }) => card[1]);
    const kind = end.kind === "normal" ? [] : [element("abbr", "kind", text(`letter-${end.kind}`))];
    row.append(
      element("td", "", end.declarer === null ? "–" : seatNo(end.declarer)),
      element("td", "number", ...kind, String(end.contract ?? "–")),
      element(
        "td",
        "trumps",
        ...(trumps.length
          ? trumps.map((suit) =>
              element("span", "", suitSign(suit, "ink-suit"), hiddenWords(text(`suit-${suit}`))),
            )
          : ["–"]),
      ),
      element(
        "td",
        `result ${end.result}`,
        glyph(end.result === "made" ? "tick" : end.result === "failed" ? "cross" : "flag"),
        hiddenWords(text(end.result)),
      ),
    );
    row.children[5].title = text(end.result);
    end.after.forEach((after, seat) => {
      row.append(
        element("td", "number change", signed(after - end.before[seat])),
        element("td", "number sum", number(after)),
      );
    });
    row.append(element("td", "events", ...dealSigns(events, end)));
    return row;
  }

  /** Mark the deal on show in table and chart; bring its row into view inside the ledger's own scroller. */
  show(index) {
    this.rows.forEach((row, each) => {
      if (each === index) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    const scroller = this.rows[index].closest(".ledger-scroll");
    const row = this.rows[index];
    const head = scroller.querySelector("thead").offsetHeight;
    if (row.offsetTop < scroller.scrollTop + head) scroller.scrollTop = row.offsetTop - head;
    const below = row.offsetTop + row.offsetHeight - scroller.clientHeight;
    if (below > scroller.scrollTop) scroller.scrollTop = below;
    this.cursor?.setAttribute("transform", `translate(${this.x(index + 1)} 0)`);
  }

  drawChart() {
    const totals = [
      this.deals[0].dealt.totals,
      ...this.deals.map(({ end }) => end?.after).filter(Boolean),
    ];
    const box = { width: 380, height: 150, left: 30, right: 62, top: 8, bottom: 8 };
    const all = totals.flat();
    const low = Math.min(0, ...all);
    const high = Math.max(1000, ...all);
    this.x = (deal) =>
      box.left + (deal / Math.max(1, totals.length - 1)) * (box.width - box.left - box.right);
    const y = (total) => box.top + ((high - total) / (high - low)) * (box.height - box.top - box.bottom);
    const svg = svgNode("svg", { viewBox: `0 0 ${box.width} ${box.height}`, "aria-hidden": "true" });
    for (const mark of [0, 555, 880, 1000]) {
      svg.append(
        svgNode("line", {
          class: `grid g${mark}`,
          x1: box.left,
          x2: box.width - box.right,
          y1: y(mark),
          y2: y(mark),
        }),
      );
      if (mark !== 1000 || y(880) - y(1000) > 11) svg.append(label(box.left - 4, y(mark) + 4, mark, "axis"));
    }
    this.cursor = svgNode("line", {
      class: "cursor",
      x1: 0,
      x2: 0,
      y1: box.top,
      y2: box.height - box.bottom,
    });
    svg.append(this.cursor);
    const ends = spread(
      totals.at(-1).map((total, seat) => ({ seat, y: y(total) })),
      13,
    );
    this.names.forEach((_, seat) => {
      const path = totals.map((row, deal) =>
        deal
          ? `H${round(this.x(deal))}V${round(y(row[seat]))}`
          : `M${round(this.x(0))} ${round(y(row[seat]))}`,
      );
      svg.append(svgNode("path", { class: `race-line seat-${seat}`, d: path.join("") }));
    });
    for (const { seat, y: height } of ends)
      svg.append(
        label(
          box.width - box.right + 6,
          height + 4,
          `${seat}: ${number(totals.at(-1)[seat])}`,
          `end seat-${seat}`,
        ),
      );
    this.chart.replaceChildren(svg);
  }
}

const round = (value) => Math.round(value * 10) / 10;

function label(x, y, words, className) {
  const node = svgNode("text", { x, y, class: className });
  node.textContent = words;
  return node;
}

/** Push labels apart so that no two are nearer than `gap`. */
function spread(items, gap) {
  const sorted = items.sort((a, b) => a.y - b.y);
  sorted.forEach((item, index) => {
    if (index) item.y = Math.max(item.y, sorted[index - 1].y + gap);
  });
  return sorted;
}

/** What happened in a deal, as signs with words: faults first, then the events of the score. */
export function dealSigns(events, end) {
  const faults = events
    .filter((event) => event.event === "fault")
    .map((event) => ["fault", event.seat, `verdict-${event.verdict}`]);
  const named = end.events
    .map((each) => splitEvent(each))
    .map(([name, seat]) => [EVENT_SIGNS[name] ?? "star", seat, `event-${name}`]);
  return [...faults, ...named].map(([sign, seat, key]) => {
    const words = text(key, { seat });
    const node = element(
      "span",
      "event",
      glyph(sign),
      element("span", "event-seat", String(seat)),
      hiddenWords(words),
    );
    node.title = words;
    return node;
  });
}
