// The bar in a seat's panel: where a total stands between the lowest usual one and the goal.

import { element } from "./cards.js";

const SCALE = { low: -600, high: 1000, ticks: [0, 555, 880, 1000] };

const at = (total) =>
  ((Math.max(SCALE.low, Math.min(SCALE.high, total)) - SCALE.low) / (SCALE.high - SCALE.low)) * 100;

/** Draw the bar and its ticks. */
export function drawRace(race) {
  race.replaceChildren(
    element("span", "race-fill"),
    ...SCALE.ticks.map((tick) => {
      const mark = element("span", `race-tick tick-${tick}`);
      mark.style.insetInlineStart = `${at(tick)}%`;
      return mark;
    }),
    element("span", "race-beyond"),
  );
}

/** Fill the bar up to a total; an arrow stands for what is beyond its ends. */
export function moveRace(race, total) {
  const [fill] = race.children;
  const [from, to] = [Math.min(at(0), at(total)), Math.max(at(0), at(total))];
  fill.style.insetInlineStart = `${from}%`;
  fill.style.inlineSize = `${to - from}%`;
  fill.classList.toggle("negative", total < 0);
  race.lastChild.textContent = total < SCALE.low ? "◂" : total > SCALE.high ? "▸" : "";
  race.classList.toggle("above", total > SCALE.high);
}
