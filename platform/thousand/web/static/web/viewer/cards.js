// Card nodes and the sprite. A face-up card is one node for the whole page, moved from hand to table;
// a hidden card is an anonymous back: neither its text nor its attributes say what it is.

import { cardWords, text } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = { r10: "0 0 94 100" };
const CYRILLIC = { A: "Te", K: "Ka", Q: "De", J: "Ve" };
let sprite = "";
let points = {};
let cyrillic = false;

const faces = new Map();
const backs = [];

export function useSprite(address, cardPoints) {
  sprite = address;
  points = cardPoints;
}

export function svgNode(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/** A drawing of the sprite, hidden from assistive technology: words always stand beside it. */
export function sign(id, className = "ink", box = "0 0 16 16") {
  const svg = svgNode("svg", { viewBox: box, class: className, "aria-hidden": "true" });
  svg.append(svgNode("use", { href: `${sprite}#${id}` }));
  return svg;
}

export const glyph = (name, className = "glyph") => sign(`g-${name}`, className);
export const suitSign = (suit, className) => {
  const svg = sign(`s-${suit}`, className, "0 0 100 100");
  svg.dataset.suit = suit;
  return svg;
};

const rankId = (rank) => (rank === "T" ? "10" : cyrillic ? (CYRILLIC[rank] ?? rank) : rank);
const rankSign = (rank, className) => {
  const id = rankId(rank);
  return sign(`r-${id}`, className, WIDE[`r${id}`] ?? "0 0 60 100");
};

export const element = (name, className, ...children) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
};

/** Words that only a screen reader (and a text copy) meets. */
export const hiddenWords = (words) => element("span", "vh", words);

function fillFace(node, card) {
  const [rank, suit] = card;
  const index = element("span", "index", rankSign(rank, "ink-rank"), suitSign(suit, "ink-suit"));
  const centre = element("span", "centre");
  if ("KQJ".includes(rank)) centre.classList.add("court");
  centre.append("KQJ".includes(rank) ? rankSign(rank, "pip") : suitSign(suit, "pip"));
  node.replaceChildren(element("span", "face", index, centre), hiddenWords(cardWords(card)));
}

/** The node of a card whose face may be seen. */
export function faceUp(card) {
  let node = faces.get(card);
  if (!node) {
    node = element("span", "pcard");
    node.dataset.card = card;
    node.dataset.suit = card[1];
    node.dataset.points = points[card];
    fillFace(node, card);
    faces.set(card, node);
  }
  return node;
}

/** The `index`th back; nothing in it depends on a card. */
export function faceDown(index) {
  backs[index] ??= element(
    "span",
    "pcard back",
    element("span", "face", sign("g-reverse", "reverse", "0 0 72 100"), element("b", "unknown", "?")),
    hiddenWords(text("hidden-card")),
  );
  return backs[index];
}

/** A card as text in a line: rank and suit, 18 px high. */
export function inline(card) {
  if (card === null)
    return element("span", "mini hidden", element("b", "", "?"), hiddenWords(text("hidden-card")));
  const node = element(
    "span",
    "mini",
    rankSign(card[0], "ink-rank"),
    suitSign(card[1], "ink-suit"),
    hiddenWords(cardWords(card)),
  );
  node.dataset.suit = card[1];
  return node;
}

/** Draw ranks in the chosen letters from now on; cards that exist are redrawn. */
export function useCyrillic(on) {
  cyrillic = on;
  for (const [card, node] of faces) fillFace(node, card);
}

/** A seat's number in its shape: circle, square, triangle, hexagon. */
export function seatNo(seat) {
  const mark = element("span", `seat-no seat-${seat}`, glyph(`seat-${seat}`), element("b", "", String(seat)));
  return mark;
}
