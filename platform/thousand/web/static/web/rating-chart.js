// The rating graph of a bot's page. The table under it holds the same values.
(() => {
  const box = document.getElementById("rating-chart");
  if (!box) return;
  let chart = null;
  let data = null;

  // Tokens are light-dark() pairs: only a computed colour says which of the two is in force.
  function colour(token) {
    const probe = document.createElement("span");
    probe.style.color = `var(${token})`;
    box.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  }

  const instant = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");

  function versionLines(ink) {
    return (plot) => {
      const { ctx, bbox } = plot;
      ctx.save();
      ctx.strokeStyle = ink;
      ctx.fillStyle = ink;
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
      ctx.textAlign = "left";
      ctx.textBaseline = "top";
      data.version.forEach((number, index) => {
        if (index > 0 && data.version[index - 1] === number) return;
        const x = plot.valToPos(data.at[index], "x", true);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        ctx.fillText(`v${number}`, x + 4 * devicePixelRatio, bbox.top);
      });
      ctx.restore();
    };
  }

  // At least 40 rating points high, so that a small change does not look like a cliff.
  function range(_plot, low, high) {
    const middle = (low + high) / 2;
    const half = Math.max((high - low) * 0.6, 20);
    return [Math.floor((middle - half) / 5) * 5, Math.ceil((middle + half) / 5) * 5];
  }

  function draw() {
    if (chart) chart.destroy();
    const text = colour("--text");
    const muted = colour("--muted");
    const grid = colour("--hairline");
    const accent = colour("--accent");
    const clock = [
      [3600 * 24 * 365, "{YYYY}", null, null, null, null, null, null, 1],
      [3600 * 24 * 28, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
      [3600 * 24, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
      [60, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
      [1, "{HH}:{mm}:{ss}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
    ];
    // Whole seconds at least: a finer grid would print the same second twice.
    const instants = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, ...[1, 2, 7, 14, 28, 91, 182, 365].map((days) => days * 86400)];
    const axis = { stroke: muted, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: "12px system-ui, sans-serif" };
    chart = new uPlot(
      {
        width: box.clientWidth,
        height: 260,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
        scales: { y: { range } },
        cursor: { y: false },
        axes: [
          { ...axis, values: clock, space: 80, incrs: instants },
          { ...axis, size: 52, values: (_plot, values) => values.map(String) },
        ],
        series: [
          { label: box.dataset.timeLabel, value: (_plot, at) => instant(at ?? data.at.at(-1)) },
          {
            label: box.dataset.ratingLabel,
            stroke: accent,
            width: 2,
            points: { show: data.at.length < 40, size: 6, fill: accent },
            value: (_plot, value) => String(Math.floor((value ?? data.rating.at(-1)) + 0.5)),
          },
        ],
        hooks: { draw: [versionLines(muted)] },
      },
      [data.at, data.rating],
      box,
    );
    box.querySelector(".u-legend").style.color = text;
  }

  async function load() {
    try {
      const answer = await fetch(box.dataset.src, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      data = await answer.json();
      draw();
    } catch {
      box.textContent = box.dataset.failed;
      box.className = "empty";
      return;
    }
    new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: 260 })).observe(box);
    document.addEventListener("themechange", draw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }

  load();
})();
