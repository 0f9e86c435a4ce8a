// The analysis of the match on show: asked for, waited for, and told beside the table.
//
// Loaded when its tab is first opened. It imports nothing of the viewer, which hands over what it needs
// (`tools`): a bundle is one scope, and a second copy of its modules would know neither sprite nor words.

import { drawChances } from "./chart.js";

const POLL = 3000;
const MARK_SIGNS = { good: "!", inaccuracy: "?!", mistake: "?", blunder: "??" };
const EMPTY = "–";
const EQUAL = 0.002;

export class AnalysisPanel {
  constructor(root, { page, names, place, tools, go }) {
    Object.assign(this, { root, page, names, place, tools, go, seat: "all" });
    this.says = tools.element("p", "analysis-status");
    this.says.setAttribute("role", "status");
    this.button = tools.element("button", "analysis-ask", this.text("ask"));
    this.button.type = "button";
    this.button.addEventListener("click", () => this.ask());
    this.body = tools.element("div", "analysis-body");
    root.replaceChildren(this.says, this.button, this.body);
    this.button.hidden = true;
    this.look();
  }

  text(key, values) {
    return this.tools.text(`analysis-${key}`, values);
  }

  // Asking and waiting.

  async call(method) {
    clearTimeout(this.timer);
    try {
      const headers = { Accept: "application/json", "X-CSRFToken": this.page.csrf };
      const answer = await fetch(this.page.status, { method, headers });
      const said = await answer.json();
      if (!answer.ok) throw new Error(said.detail ?? `HTTP ${answer.status}`);
      await this.tell(said);
    } catch (error) {
      this.fail(error.message);
    }
  }

  look() {
    return this.call("GET");
  }

  ask() {
    this.button.disabled = true;
    return this.call("POST");
  }

  async tell(status) {
    const waits = ["waiting", "running"].includes(status.state);
    this.say(this.text(status.state, { place: status.place, cause: status.cause }));
    this.root.setAttribute("aria-busy", String(waits));
    this.offer(["none", "failed"].includes(status.state), status.state === "failed" ? "again" : "ask");
    if (waits) this.timer = setTimeout(() => this.look(), POLL);
    if (status.state !== "done") return;
    const answer = await fetch(new URL(status.document, location.href).pathname);
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    this.open(await answer.json());
  }

  fail(cause) {
    this.say(this.text("error", { cause }));
    this.root.setAttribute("aria-busy", "false");
    this.offer(true, "again");
  }

  offer(shown, key) {
    this.button.hidden = !shown;
    this.button.disabled = false;
    this.button.textContent = this.text(key);
  }

  say(words) {
    if (this.says.textContent !== words) this.says.textContent = words;
  }

  // What was found.

  open(found) {
    this.found = found;
    this.decisions = found.deals.flatMap(({ deal, decisions }) =>
      decisions.map((one) => ({ ...one, deal })),
    );
    this.byStep = new Map(this.decisions.map((one) => [`${one.deal}.${one.step}`, one]));
    this.says.hidden = true;
    const { element } = this.tools;
    this.now = element("section", "analysis-now");
    this.bids = element("section", "analysis-bids");
    this.chart = element("div", "analysis-chart");
    this.lists = element("div", "analysis-lists");
    this.body.replaceChildren(
      this.now,
      this.heading("chances"),
      this.chart,
      element("p", "analysis-note", this.text("chart-note")),
      this.seatChoice(),
      this.lists,
      this.bids,
      this.heading("luck-play"),
      this.seatTable(),
      element("p", "analysis-note", this.text("seats-note")),
      element("p", "analysis-note", this.thresholds()),
      this.more(),
    );
    this.cursor = drawChances(this.chart, found, this.tools, (one) => this.go(one.deal, one.step));
    this.show(this.place);
    this.opened?.();
  }

  heading(key) {
    return this.tools.element("h3", "", this.text(key));
  }

  /** Tell the decision of a step; called whenever the viewer shows another one. */
  show(place) {
    const before = this.place;
    this.place = place;
    if (!this.found) return;
    const deal = this.found.deals.find((one) => one.deal === place.deal);
    this.cursor(place);
    this.drawNow(this.byStep.get(`${place.deal}.${place.step}`));
    const looksElse = before?.view !== place.view || before?.seat !== place.seat;
    if (before?.deal !== place.deal || !this.bids.firstChild) this.drawBids(deal);
    if (looksElse || !this.lists.firstChild) this.drawLists();
  }

  /** Whether the view on show may know the cards of a seat. */
  mayShow(seat) {
    return this.place.view === "all" || (this.place.view === "seat" && this.place.seat === seat);
  }

  drawNow(decision) {
    const { element } = this.tools;
    const told = decision
      ? [this.verdict(decision), this.advice(decision), ...this.alternatives(decision)]
      : [element("p", "analysis-none", this.text("no-decision"))];
    this.now.replaceChildren(this.heading("now"), ...told, this.besides());
  }

  /** Links to the judged decisions before and after the place. */
  besides() {
    const { deal, step } = this.place;
    const at = (one) => one.deal * 1000 + one.step;
    const here = deal * 1000 + step;
    const before = this.decisions.findLast((one) => at(one) < here);
    const after = this.decisions.find((one) => at(one) > here);
    const links = [
      before && this.link(before, this.text("previous")),
      after && this.link(after, this.text("next")),
    ];
    return this.tools.element("p", "analysis-besides", ...links.filter(Boolean));
  }

  verdict(decision) {
    const { element, seatNo } = this.tools;
    const line = element("p", "analysis-verdict", seatNo(decision.seat), " ");
    line.append(this.action(decision.played, decision.seat), " ", this.mark(decision.mark) ?? "");
    const key = verdictOf(decision);
    const values = {
      chance: percent(key === "only" ? decision.kept_chance : decision.lost_chance),
      points: this.tools.number(Math.round(decision.lost_points)),
    };
    line.append(" ", this.text(`is-${key}`, values));
    return line;
  }

  /** What the strongest house bot would have done with what the seat saw. */
  advice({ advised, played, seat }) {
    const { element } = this.tools;
    if (advised === played) return element("p", "analysis-note", this.text("advised-same"));
    return element("p", "analysis-note", this.text("advised"), " ", this.action(advised, seat));
  }

  mark(name) {
    if (!name) return null;
    const { element } = this.tools;
    const sign = element("b", "", MARK_SIGNS[name]);
    return element("span", `analysis-mark is-${name}`, sign, ` ${this.text(`mark-${name}`)}`);
  }

  /** What could have been done, best first; nothing where the view hides that seat's cards. */
  alternatives(decision) {
    const { element, hiddenWords } = this.tools;
    if (!this.mayShow(decision.seat)) return [element("p", "analysis-note", this.text("hidden"))];
    const opens = decision.alternatives.some((one) => one.open !== null);
    const columns = ["action", "wins", "points", "made", ...(opens ? ["open"] : [])];
    const rows = decision.alternatives.map((one) => {
      const cells = [
        this.cell("", this.action(one.action, decision.seat)),
        this.cell("number", percent(one.chance)),
        this.cell("number", this.tools.signed(Math.round(one.points))),
        this.cell("number", share(one.made)),
        ...(opens ? [this.cell("number", String(one.open ?? EMPTY))] : []),
      ];
      const isPlayed = one.action === decision.played;
      const words = hiddenWords(this.text("played"));
      if (isPlayed) cells[0].prepend(element("span", "analysis-played", "▸", words));
      return element("tr", isPlayed ? "is-played" : "", ...cells);
    });
    const heads = columns.map((key) => {
      const head = this.head("col", this.text(`column-${key}`));
      const className = key === "action" ? "" : "number";
      return Object.assign(head, { className, title: this.text(`title-${key}`) });
    });
    const note = this.text(opens ? "cards-note" : "guesses-note", { worlds: decision.worlds });
    return [
      this.scroller("analysis-alternatives", this.text("alternatives"), heads, rows),
      element("p", "analysis-note", note),
    ];
  }

  cell(className, ...children) {
    return this.tools.element("td", className, ...children);
  }

  head(scope, ...children) {
    return Object.assign(this.tools.element("th", "", ...children), { scope });
  }

  /** A table in a region of its own that may scroll sideways. */
  scroller(className, caption, heads, rows) {
    const { element } = this.tools;
    const table = element(
      "table",
      className,
      element("caption", "vh", caption),
      element("thead", "", element("tr", "", ...heads)),
      element("tbody", "", ...rows),
    );
    const scroller = element("div", "analysis-scroll", table);
    Object.assign(scroller, { tabIndex: 0 });
    scroller.setAttribute("role", "region");
    scroller.setAttribute("aria-label", caption);
    return scroller;
  }

  /** An action in words, its cards drawn; of a seat whose cards the view hides, only what kind it was. */
  action(action, seat) {
    const { element, inline } = this.tools;
    const [kind, ...rest] = action.split(" ");
    if (kind === "play" || kind === "give") {
      const named = rest.filter((word) => word !== "declare");
      const cards = named.map((card) => inline(this.mayShow(seat) ? card : null));
      const announced = rest.includes("declare") ? [` ${this.text("announces")}`] : [];
      return element("span", "analysis-action", `${this.text(`does-${kind}`)} `, ...cards, ...announced);
    }
    return element("span", "analysis-action", this.text(`does-${kind}`, { number: rest[0] ?? "" }));
  }

  link(one, words) {
    const link = this.tools.element("a", "", words);
    link.href = this.tools.writeAddress({ ...this.place, deal: one.deal, step: one.step });
    return link;
  }

  seatChoice() {
    const { element } = this.tools;
    const select = element("select", "");
    for (const seat of ["all", ...this.names.keys()]) {
      const words = seat === "all" ? this.text("all-seats") : `${seat} ${this.names[seat]}`;
      select.append(Object.assign(element("option", "", words), { value: String(seat) }));
    }
    select.addEventListener("change", () => {
      this.seat = select.value;
      this.drawLists();
    });
    return element("label", "analysis-choice", element("span", "", this.text("moments-of")), select);
  }

  drawLists() {
    const { element } = this.tools;
    const parts = ["worst", "best"].flatMap((kind) => {
      const all = this.found.moments[kind];
      const shown = all.filter((one) => this.seat === "all" || one.seat === Number(this.seat));
      const items = shown.map((moment) => this.moment(kind, moment));
      if (!items.length) return [this.heading(kind), element("p", "analysis-none", this.text(`no-${kind}`))];
      return [this.heading(kind), element("ol", `analysis-moments of-${kind}`, ...items)];
    });
    this.lists.replaceChildren(...parts);
  }

  moment(kind, moment) {
    const { element, hiddenWords, seatNo } = this.tools;
    const decision = this.byStep.get(`${moment.deal}.${moment.step}`);
    const link = this.link(moment, "");
    const loss = kind === "worst" ? `−${percent(moment.chance)}` : percent(moment.chance);
    const meaning = hiddenWords(` ${this.text(kind === "worst" ? "given-up" : "kept")}`);
    link.append(
      element("span", "analysis-where", this.text("where", { deal: moment.deal })),
      seatNo(moment.seat),
      this.action(decision.played, moment.seat),
      this.mark(decision.mark),
      element("b", "analysis-loss", loss, meaning),
    );
    return element("li", "", link);
  }

  drawBids(deal) {
    const { element, seatNo, signed } = this.tools;
    const item = (seat, ...told) => element("li", "", seatNo(seat), ...told);
    const bids = (deal?.bidding ?? []).map((one) => {
      const words = this.text(one.bid ? "bid-words" : "bid-none", { ...one, known: share(one.known) });
      return item(one.seat, element("b", "", this.text(`bid-${one.verdict}`)), element("span", "", words));
    });
    const luck = (deal?.luck_points ?? []).map((gain, seat) => {
      const points = signed(Math.round(gain));
      const chance = signedPercent(deal.luck_chance[seat]);
      return item(seat, element("span", "", this.text("luck-words", { points, chance })));
    });
    this.bids.replaceChildren(
      this.heading("bidding"),
      bids.length
        ? element("ul", "analysis-bidding", ...bids)
        : element("p", "analysis-none", this.text("no-bidding")),
      this.heading("deal-luck"),
      element("ul", "analysis-bidding", ...luck),
    );
  }

  /** One column a seat: where its result came from, and what its decisions gave up. */
  seatTable() {
    const { element, seatNo, signed, hiddenWords } = this.tools;
    const deals = Math.max(1, this.found.deals.length);
    const lines = {
      won: (one) => share(one.result),
      start: (one) => share(one.start),
      luck: (one) => signedPercent(one.luck_chance),
      play: (one) => signedPercent(one.play_chance),
      "points-luck": (one) => signed(Math.round(one.luck_points)),
      "points-play": (one) => signed(Math.round(one.play_points)),
      marks: (one) => [one.inaccuracies, one.mistakes, one.blunders].join(" / "),
      lost: (one) => percent(one.lost_chance / deals),
    };
    const rows = Object.entries(lines).map(([key, write]) => {
      const head = this.head("row", this.text(`line-${key}`));
      head.title = this.text(`title-${key}`);
      return element("tr", "", head, ...this.found.seats.map((one) => this.cell("number", write(one))));
    });
    const heads = this.found.seats.map(({ seat }) => {
      const head = this.head("col", seatNo(seat), hiddenWords(` ${this.names[seat]}`));
      return Object.assign(head, { className: "number", title: this.names[seat] });
    });
    const corner = this.head("col", hiddenWords(this.text("line")));
    return this.scroller("analysis-seats", this.text("luck-play"), [corner, ...heads], rows);
  }

  thresholds() {
    const values = {};
    for (const [name, { chance, points }] of Object.entries(this.found.thresholds))
      Object.assign(values, { [name]: percent(chance), [`${name}_points`]: points });
    return this.text("thresholds", values);
  }

  more() {
    const { element } = this.tools;
    const help = element("a", "", this.text("help"));
    help.href = this.page.help;
    const made = this.text("made-by", { analysis: this.found.analysis, engine: this.found.engine });
    return element("p", "analysis-note", help, ` · ${made}`);
  }

  /** Put the marks of a deal beside its moves; `links` by step. */
  markMoves(deal, links) {
    if (!this.found) return;
    for (const [step, link] of links) {
      link.querySelector(".analysis-mark")?.remove();
      const mark = this.mark(this.byStep.get(`${deal}.${step}`)?.mark);
      if (!mark) continue;
      mark.lastChild.replaceWith(this.tools.hiddenWords(mark.lastChild.textContent));
      link.append(mark);
    }
  }
}

function verdictOf({ mark, played, best, lost_chance, lost_points, alternatives }) {
  if (mark === "good") return "only";
  if (played === best) return "best";
  if (lost_chance || lost_points) return "lost";
  return alternatives.find((one) => one.action === played).behind < EQUAL ? "equal" : "unsure";
}

const percent = (chance) => `${(100 * chance).toFixed(1)} %`;
const share = (part) => `${Math.round(100 * part)} %`;
const signedPercent = (chance) => (chance < 0 ? "−" : "+") + percent(Math.abs(chance));
