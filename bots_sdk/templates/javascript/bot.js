// A bot for Thousand: plays aces as soon as it may, and is careful otherwise.
"use strict";

const readline = require("node:readline");

// request.legal: everything you may do now, the mildest first (pass, cheapest card, …).
// request.view: everything your seat may know, for example request.view.hand.
// console.error() writes to your log; standard output is for answers only.
function choose(request) {
  return request.legal.find((action) => action.startsWith("play A")) ?? request.legal[0];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    answer({ type: "ready" });
  } else if (message.type === "act") {
    answer({ id: message.id, action: choose(message) });
  }
});

function answer(reply) {
  process.stdout.write(JSON.stringify(reply) + "\n");
}
