// Loads the replay and starts the viewer on the page that the server drew.

import { useSprite } from "./cards.js";
import { unpack } from "./unpack.js";
import { Viewer } from "./viewer.js";
import { useTexts } from "./words.js";

/** The server's picture comes first: nothing of ours runs before the browser has painted it. */
const painted = () =>
  new Promise((resolve) => (document.hidden ? resolve() : requestAnimationFrame(() => setTimeout(resolve))));

async function start() {
  const root = document.getElementById("viewer");
  const page = JSON.parse(document.getElementById("viewer-page").textContent);
  const failed = root.querySelector("[data-viewer=failed]");
  try {
    const [answer] = await Promise.all([fetch(page.events), painted()]);
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    useTexts(page.texts);
    useSprite(page.sprite, page.points);
    const viewer = new Viewer(root, page, unpack(await answer.json()));
    root.classList.add("ready");
    root.viewer = viewer;
  } catch (error) {
    failed.hidden = false;
    failed.querySelector("[data-viewer=cause]").textContent = error.message;
    throw error;
  }
}

start();
