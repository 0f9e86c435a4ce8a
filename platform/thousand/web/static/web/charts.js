// What the site's graphs share: colours of the theme, axes, and drawing again when theme or width change.
window.arenaCharts = (() => {
  const HEIGHT = 260;
  const FONT = "12px system-ui, sans-serif";

  // Tokens are light-dark() pairs: only a computed colour says which of the two is in force.
  function colour(box, token) {
    const probe = document.createElement("span");
    probe.style.color = `var(${token})`;
    box.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  }

  // The axes' common look; `ink` also has the colours for what a graph draws by itself.
  function look(box) {
    const ink = Object.fromEntries(
      ["text", "muted", "hairline", "accent", "good", "bad"].map((name) => [name, colour(box, `--${name}`)]),
    );
    ink.band = ink.accent.replace(/^rgb\((.*)\)$/, "rgba($1, 0.15)");
    const line = { stroke: ink.hairline, width: 1 };
    return { ink, axis: { stroke: ink.muted, grid: line, ticks: line, font: FONT } };
  }

  function dashed(plot, ink, draw) {
    const { ctx } = plot;
    ctx.save();
    ctx.strokeStyle = ink;
    ctx.fillStyle = ink;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    draw(ctx, plot.bbox);
    ctx.restore();
  }

  // Fetches what `box.dataset.src` answers and calls `draw(data)`, which returns the graph; again when the
  // theme changes. Returns a function that fetches anew.
  function keep(box, draw) {
    let chart = null;
    let data = null;
    const redraw = () => {
      if (!data) return;
      if (chart) chart.destroy();
      chart = draw(data);
      box.querySelector(".u-legend").style.color = colour(box, "--text");
    };
    async function load() {
      try {
        const answer = await fetch(box.dataset.src, { headers: { Accept: "application/json" } });
        if (!answer.ok) throw new Error(String(answer.status));
        data = await answer.json();
      } catch {
        if (data) return;
        box.textContent = box.dataset.failed;
        box.className = "empty";
        return;
      }
      redraw();
    }
    new ResizeObserver(() => chart?.setSize({ width: box.clientWidth, height: HEIGHT })).observe(box);
    document.addEventListener("themechange", redraw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    load();
    return load;
  }

  return { HEIGHT, dashed, keep, look };
})();
