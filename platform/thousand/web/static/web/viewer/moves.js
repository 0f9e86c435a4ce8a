// The transcript of the deal on show: links to its steps, grouped as the deal is.

import { element, glyph, hiddenWords, inline, seatNo } from "./cards.js";
import { seenBy, visible } from "./model.js";
import { text, verdictWord } from "./words.js";
import { writeAddress } from "./address.js";

export class Moves {
  constructor(root) {
    this.root = root;
  }

  /** Draw the deal's steps for a view; called when deal, view or seat change, not on every step. */
  useDeal(deal, parts, place, players) {
    Object.assign(this, { deal, place, players });
    const groups = parts.map((part) => this.group(part));
    this.root.replaceChildren(...groups);
    this.links = [...this.root.querySelectorAll("a")];
  }

  group(part) {
    const name = part.key === "trick" ? text("trick-label", { trick: part.trick }) : text(`stretch-${part.key}`);
    const list = element("ol", "", ...part.steps.map((step) => this.item(step)));
    const last = this.deal.events[part.steps.at(-1)];
    if (last.won) list.append(element("li", "trick-points", element("span", "arrow", "→"), seatNo(last.won.seat), ` ${last.won.points}`));
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
    const shown = (field, index) => visible(seenBy(event, field, index, this.players), view, seat, this.players);
    const cards = event.cards?.map((card, index) => inline(shown("cards", index) ? card : null)) ?? [];
    switch (event.event) {
      case "deal":
        return [text(event.redeal ? "moves-dealt-again" : "moves-dealt"), " ", seatNo(event.dealer)];
      case "redeal":
        return [seatNo(event.seat), " ", text("moves-redeal"), ...event.hand.map(inline)];
      case "bid":
        return [seatNo(event.seat), " ", event.forced ? `${text("forced")} ` : "", element("b", "", String(event.bid))];
      case "pass":
        return [seatNo(event.seat), " ", text("said-pass")];
      case "widow":
        return [seatNo(event.seat), " ", text("moves-widow"), " ", ...cards];
      case "give":
        return [seatNo(event.seat), " ", text("moves-give"), ...event.to.flatMap((to, index) => [" ", seatNo(to), cards[index]])];
      case "contract":
        return [seatNo(event.seat), " ", text("moves-contract"), " ", element("b", "", event.contract === event.bid ? String(event.contract) : `${event.bid} → ${event.contract}`)];
      case "concede":
        return [seatNo(event.seat), " ", text("conceded"), ` ${event.contract}`];
      case "play": {
        const play = [seatNo(event.seat), inline(event.card)];
        if (event.marriage) play.push(element("b", "announced", hiddenWords(text("moves-announced")), `+${event.marriage}`));
        return play;
      }
      case "fault":
        return [seatNo(event.seat), " ", glyph("fault"), ` ${verdictWord(event.verdict)}`];
      case "deal_end":
        return [seatNo(event.declarer), ` ${text(event.result)} ${event.contract}`];
      case "match_end":
        return [text("moves-over")];
      default:
        return [seatNo(event.seat), ` ${event.event}`];
    }
  }

  /** Mark the current step and keep it in view, scrolling this panel only, never the page. */
  show(step) {
    let current = null;
    for (const link of this.links) {
      if (Number(link.dataset.step) === step) {
        link.setAttribute("aria-current", "step");
        current = link;
      } else link.removeAttribute("aria-current");
    }
    if (!current) return;
    const top = current.getBoundingClientRect().top - this.root.getBoundingClientRect().top + this.root.scrollTop;
    const room = this.root.clientHeight;
    if (top < this.root.scrollTop + 24 || top > this.root.scrollTop + room - 48) this.root.scrollTop = top - room / 2;
  }

  focus() {
    this.root.querySelector("[aria-current]")?.focus({ preventScroll: true });
  }
}
