// The whole match and the whole deal at a glance: two native sliders with drawings behind them, and the marks.

import { element, glyph, suitSign, svgNode } from "./cards.js";
import { splitEvent, text, verdictWord } from "./words.js";

const HEIGHT = 28;
const GROUND = 21;
const UP = 9;
const DOWN = 6;
const NARROWEST = 3;
/** Signs above the bars, the most telling first: where two would overlap, the first stays. */
const SIGNS = [
  ["fault", "fault"],
  ["win", "flag"],
  ["sit", "barrel"],
  ["fall", "fall"],
  ["third_fall", "fall"],
  ["knocked", "fall"],
  ["dump", "truck"],
];

/** Deal-level marks: what happened in it that is worth jumping to. */
export function dealMarks({ events, end }) {
  const found = events.some((event) => event.event === "fault") ? ["fault"] : [];
  for (const named of end?.events ?? []) found.push(splitEvent(named)[0]);
  if (end && end.kind !== "normal") found.push(end.kind);
  return found;
}

/** The match strip: bars up for contracts made, hollow bars down for contracts failed, signs above. */
export class MatchStrip {
  constructor(root, deals) {
    Object.assign(this, { root, deals, width: 0 });
    this.picture = root.querySelector("[data-strip-picture]");
    this.input = root.querySelector("input");
    this.input.max = deals.length - 1;
    this.marks = deals.map(dealMarks);
    new ResizeObserver(() => this.draw()).observe(this.picture);
  }

  draw() {
    const width = Math.floor(this.picture.clientWidth);
    if (!width || width === this.width) return;
    this.width = width;
    const size = Math.max(1, Math.ceil(this.deals.length / Math.floor(width / NARROWEST)));
    const bins = [];
    for (let first = 0; first < this.deals.length; first += size)
      bins.push(this.deals.slice(first, first + size));
    const step = width / bins.length;
    const highest = Math.max(...this.deals.map(({ end }) => end?.contract ?? 0), 1);
    const bars = { made: "", failed: "" };
    bins.forEach((bin, index) => {
      const bar = Math.max(2, Math.min(step - 1, 24));
      const left = index * step + (step - bar) / 2;
      const tallest = (results) =>
        Math.max(0, ...bin.filter(({ end }) => results.includes(end?.result)).map(({ end }) => end.contract));
      const up = (tallest(["made"]) / highest) * UP;
      const down = (tallest(["failed", "conceded"]) / highest) * DOWN;
      if (up) bars.made += rectangle(left, GROUND, bar, -up);
      if (down) bars.failed += rectangle(left + 0.5, GROUND + 1, bar - 1, down);
    });
    const here = {
      class: "here",
      y: 0,
      height: HEIGHT,
      width: Math.max(3, width / this.deals.length),
      rx: 2,
    };
    this.cursor = svgNode("rect", here);
    const svg = svgNode("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" });
    svg.append(this.cursor, ...Object.entries(bars).map(([name, d]) => svgNode("path", { class: name, d })));
    this.picture.replaceChildren(svg, ...this.signs(width));
    this.show(this.at ?? 0);
  }

  signs(width) {
    const taken = [];
    const nodes = [];
    for (const [name, sign] of SIGNS)
      this.marks.forEach((found, deal) => {
        const x = ((deal + 0.5) / this.deals.length) * width;
        if (!found.includes(name) || taken.some((other) => Math.abs(other - x) < 11)) return;
        taken.push(x);
        const node = glyph(sign, `strip-sign ${sign}`);
        node.style.left = `${x}px`;
        nodes.push(node);
      });
    return nodes;
  }

  show(index) {
    this.at = index;
    this.input.value = index;
    this.cursor?.setAttribute("x", (index / this.deals.length) * this.width);
  }
}

const rectangle = (x, y, width, height) =>
  `M${x.toFixed(1)} ${y}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`;

/** The deal slider: labels of its stretches and signs where trump changed or a seat faulted. */
export class DealSlider {
  constructor(root) {
    this.root = root;
    this.scale = root.querySelector("[data-slider-scale]");
    this.input = root.querySelector("input");
    this.count = root.querySelector("[data-step-count]");
  }

  useDeal(deal, parts) {
    const last = deal.events.length - 1;
    this.input.max = last;
    const nodes = parts.map((part, index) => {
      const room = ((parts[index + 1]?.step ?? 2 * last) - part.step) / Math.max(1, last);
      const word = part.key === "trick" ? String(part.trick) : text(`stretch-${part.key}`);
      const node = element(
        "span",
        `stretch of-${part.key}`,
        part.key === "trick" || room > WORD_ROOM ? word : "",
      );
      node.style.left = `${(part.step / Math.max(1, last)) * 100}%`;
      return node;
    });
    deal.events.forEach((event, step) => {
      if (event.event !== "fault" && !event.marriage) return;
      const node = element(
        "span",
        "slider-sign",
        event.marriage ? suitSign(event.card[1], "ink-suit") : glyph("fault"),
      );
      node.style.left = `${(step / Math.max(1, last)) * 100}%`;
      nodes.push(node);
    });
    this.scale.replaceChildren(...nodes);
  }

  show(step, words) {
    this.input.value = step;
    this.input.setAttribute("aria-valuetext", words);
    this.count.textContent = `${step}/${this.input.max}`;
  }
}

/** Share of the slider that a word above it takes. */
const WORD_ROOM = 0.06;

const UNMARKED = ["bolt"];

/** Every mark of the match in order: `{deal, step, kind, words}`. */
export function marksOf(deals) {
  return deals.flatMap(({ deal, events, end }) => {
    const found = [];
    events.forEach((event, step) => {
      if (event.event === "fault")
        found.push({
          deal,
          step,
          kind: "fault",
          words: text("mark-fault", { seat: event.seat, verdict: verdictWord(event.verdict) }),
        });
      if (event.marriage)
        found.push({
          deal,
          step,
          kind: "marriage",
          words: text("mark-marriage", {
            seat: event.seat,
            suit: event.card[0] === "A" ? text("aces") : text(`suit-${event.card[1]}`),
          }),
        });
      if (event.event === "redeal") found.push({ deal, step, kind: "redeal", words: text("said-redeal") });
    });
    const step = end ? events.indexOf(end) : null;
    for (const named of end?.events ?? []) {
      const [name, seat] = splitEvent(named);
      if (!UNMARKED.includes(name))
        found.push({ deal, step, kind: name, words: text(`event-${name}`, { seat }) });
    }
    return found;
  });
}

export class Marks {
  constructor(details, marks) {
    Object.assign(this, { details, marks });
    const list = details.querySelector("ul");
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      const shown = marks.filter(({ kind }) => kind !== "marriage");
      list.replaceChildren(
        ...shown.map(({ deal, step, words }) => {
          const link = element("a", "", element("b", "", text("deal-short", { deal })), ` ${words}`);
          link.href = `#deal=${deal}&step=${step}`;
          return element("li", "", link);
        }),
      );
      if (!shown.length) list.replaceChildren(element("li", "", text("no-marks")));
    });
    details.addEventListener("click", (event) => event.target.closest("a") && (details.open = false));
    details.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      details.open = false;
      details.querySelector("summary").focus();
    });
  }

  beside({ deal, step }, direction) {
    const place = (mark) => mark.deal - deal || mark.step - step;
    return direction > 0
      ? this.marks.find((mark) => place(mark) > 0)
      : this.marks.findLast((mark) => place(mark) < 0);
  }
}
