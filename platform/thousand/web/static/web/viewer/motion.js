// Movement between two pictures: measured before and after drawing, played with transforms only.
// A new input ends whatever still runs; with reduced motion nothing moves.

const TIME = {
  deal: 160,
  redeal: 120,
  bid: 120,
  pass: 120,
  widow: 200,
  give: 220,
  contract: 120,
  concede: 120,
  play: 180,
  deal_end: 160,
};
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Motion {
  constructor(stage, ghosts) {
    Object.assign(this, { stage, ghosts, running: [] });
  }

  finish() {
    for (const animation of this.running) animation.finish();
    this.running = [];
    this.ghosts.replaceChildren();
  }

  /** Where every card is now; null when the change is not to be animated. */
  measure(wanted) {
    this.finish();
    if (!wanted || still.matches) return null;
    const cards = new Map(
      [...this.stage.querySelectorAll(".pcard")].map((node) => [node, node.getBoundingClientRect()]),
    );
    const hands = [...this.stage.querySelectorAll(".hand")].map((list) =>
      (list.lastElementChild ?? list).getBoundingClientRect(),
    );
    const widow = [...this.stage.querySelectorAll(".widow > li")].map((item) => item.getBoundingClientRect());
    return { cards, hands, widow };
  }

  /** Play the change that led to `picture`. */
  play(before, picture, speed) {
    if (!before) return;
    const kind = picture.event.event;
    const duration = (TIME[kind] ?? 120) / Math.max(1, speed);
    if (kind === "deal") return this.fade(".hand, .widow", duration);
    if (kind === "contract" || kind === "concede") this.fade(".contract", duration);
    if (kind === "deal_end") this.fade(".sheet-layer", duration);
    if (["bid", "pass", "redeal", "blind", "buy", "cut"].includes(kind)) this.pop(picture.event.seat, duration);
    if (picture.captured.length && picture.capturedBy !== null)
      this.capture(before, picture, 180 / Math.max(1, speed));
    for (const node of this.stage.querySelectorAll(".pcard:not(.back)"))
      this.slide(node, before, picture, kind, duration);
    if (picture.announced) this.grow(duration);
    return undefined;
  }

  run(node, frames, options) {
    this.running.push(node.animate(frames, { easing: "ease-out", ...options }));
  }

  slide(node, before, picture, kind, duration) {
    const to = node.getBoundingClientRect();
    const from = before.cards.get(node) ?? this.origin(node, before, picture, kind);
    if (!from || !from.width || (Math.abs(from.left - to.left) < 1 && Math.abs(from.top - to.top) < 1))
      return;
    const scale = from.width / to.width;
    const away = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${scale})`;
    const origin = { transformOrigin: "0 0", zIndex: 3 }; // above the felt, which is painted after the seats
    if (kind === "widow" && node.closest("li.fresh")) {
      // The three cards turn where they lie, rest 400 ms, then slide into the hand.
      this.run(
        node,
        [
          { ...origin, transform: `${away} scaleX(0)`, offset: 0 },
          { ...origin, transform: away, offset: 0.23 },
          { ...origin, transform: away, offset: 0.74 },
          { ...origin, transform: "none", offset: 1 },
        ],
        { duration: 180 + 400 + duration },
      );
      return;
    }
    this.run(
      node,
      [
        { ...origin, transform: away },
        { ...origin, transform: "none" },
      ],
      { duration },
    );
  }

  /** Where a card that was hidden, or lay in the widow, came from. */
  origin(node, before, picture, kind) {
    if (kind === "play" && node.closest(".trick")) return before.hands[picture.event.seat];
    if (kind === "widow")
      return before.widow[picture.widow.findIndex(({ card }) => card === node.dataset.card)];
    return null;
  }

  /** The trick that was complete goes to its winner: copies move, the cards themselves are gone. */
  capture(before, picture, duration) {
    const goal = this.stage.querySelector(`.seat-${picture.capturedBy}.seat`).getBoundingClientRect();
    for (const { card } of picture.captured) {
      const entry = [...before.cards].find(([node]) => node.dataset.card === card);
      if (!entry) continue;
      const [node, from] = entry;
      const ghost = node.cloneNode(true);
      for (const [name, value] of Object.entries({
        left: from.left,
        top: from.top,
        width: from.width,
        height: from.height,
      }))
        ghost.style[name] = `${value}px`;
      ghost.classList.add("ghost");
      this.ghosts.append(ghost);
      const move = `translate(${goal.left + goal.width / 2 - from.left - from.width / 2}px, ${goal.top + goal.height / 2 - from.top - from.height / 2}px) scale(.4)`;
      const animation = ghost.animate(
        [
          { transform: "none", opacity: 1 },
          { transform: move, opacity: 0 },
        ],
        { duration, easing: "ease-in", fill: "forwards" },
      );
      animation.onfinish = () => ghost.remove();
      this.running.push(animation);
    }
  }

  fade(selector, duration) {
    for (const node of this.stage.querySelectorAll(selector))
      this.run(node, [{ opacity: 0 }, { opacity: 1 }], { duration });
  }

  pop(seat, duration) {
    const node = this.stage.querySelectorAll(".seat")[seat].querySelector(".said");
    this.run(
      node,
      [
        { opacity: 0, transform: "scale(.8)" },
        { opacity: 1, transform: "none" },
      ],
      { duration },
    );
  }

  grow() {
    const node = this.stage.querySelector(".trump-now");
    if (node)
      this.run(node, [{ transform: "none" }, { transform: "scale(1.3)" }, { transform: "none" }], {
        duration: 240,
      });
  }
}
