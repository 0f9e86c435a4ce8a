// A search box that hides table rows without the typed words; groups without a match close.
(() => {
  function filter(input) {
    const words = input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const root = document.querySelector(input.dataset.filterRows);
    for (const group of root.querySelectorAll("details")) {
      let shown = 0;
      for (const row of group.querySelectorAll("tbody tr")) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown += 1;
      }
      group.hidden = shown === 0;
      if (words.length) group.open = shown > 0;
    }
  }
  for (const input of document.querySelectorAll("[data-filter-rows]")) {
    input.addEventListener("input", () => filter(input));
  }
})();
