// Loads the replay and starts the viewer on the page that the server drew.

import { useSprite } from "./cards.js";
import { Viewer } from "./viewer.js";
import { useTexts } from "./words.js";

async function start() {
  const root = document.getElementById("viewer");
  const page = JSON.parse(document.getElementById("viewer-page").textContent);
  useTexts(page.texts);
  useSprite(page.sprite, page.points);
  const failed = root.querySelector("[data-viewer=failed]");
  try {
    const answer = await fetch(page.document);
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const viewer = new Viewer(root, page, await answer.json());
    root.classList.add("ready");
    root.viewer = viewer;
  } catch (error) {
    failed.hidden = false;
    failed.querySelector("[data-viewer=cause]").textContent = error.message;
    throw error;
  }
}

start();
