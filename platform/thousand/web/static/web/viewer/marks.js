// Moments worth jumping to: faults, announcements, barrel, dump truck, the win. A list and two keys.

import { element } from "./cards.js";
import { splitEvent, text, verdictWord } from "./words.js";

const QUIET = ["bolt"];

/** Every mark of the match in order: `{deal, step, kind, words}`. */
export function marksOf(deals) {
  return deals.flatMap(({ deal, events, end }) => {
    const found = [];
    events.forEach((event, step) => {
      if (event.event === "fault") found.push({ deal, step, kind: "fault", words: text("mark-fault", { seat: event.seat, verdict: verdictWord(event.verdict) }) });
      if (event.marriage) found.push({ deal, step, kind: "marriage", words: text("mark-marriage", { seat: event.seat, suit: text(`suit-${event.card[1]}`) }) });
      if (event.event === "redeal") found.push({ deal, step, kind: "redeal", words: text("said-redeal") });
    });
    const step = end ? events.indexOf(end) : null;
    for (const named of end?.events ?? []) {
      const [name, seat] = splitEvent(named);
      if (!QUIET.includes(name)) found.push({ deal, step, kind: name, words: text(`event-${name}`, { seat }) });
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
    return direction > 0 ? this.marks.find((mark) => place(mark) > 0) : this.marks.findLast((mark) => place(mark) < 0);
  }
}
