// The evidence of an A/B test: its log-likelihood ratio by blocks, between the two bounds that end it.
(() => {
  const box = document.getElementById("ab-chart");
  if (!box) return;
  const { HEIGHT, dashed, keep, look } = window.arenaCharts;

  const two = (value) => value.toFixed(2).replace("-", "\u2212");

  function bounds(data, ink) {
    return (plot) => {
      for (const [value, word, below] of [
        [data.upper, box.dataset.stronger, true],
        [data.lower, box.dataset.notStronger, false],
      ]) {
        dashed(plot, value > 0 ? ink.good : ink.bad, (ctx, area) => {
          const y = plot.valToPos(value, "y", true);
          ctx.beginPath();
          ctx.moveTo(area.left, y);
          ctx.lineTo(area.left + area.width, y);
          ctx.stroke();
          ctx.textBaseline = below ? "bottom" : "top";
          ctx.fillText(`${word} ${two(value)}`, area.left + 4 * devicePixelRatio, y + (below ? -3 : 3) * devicePixelRatio);
        });
      }
    };
  }

  function draw(data) {
    const { ink, axis } = look(box);
    const range = (_plot, low, high) => [Math.min(low, data.lower) - 1, Math.max(high, data.upper) + 1];
    return new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        scales: { x: { time: false, range: (_plot, _low, high) => [0, Math.max(high, 20)] }, y: { range } },
        cursor: { y: false },
        axes: [
          { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100], values: (_plot, values) => values.map(String) },
          { ...axis, size: 40, values: (_plot, values) => values.map((value) => String(value).replace("-", "\u2212")) },
        ],
        series: [
          { label: box.dataset.blocksLabel, value: (_plot, value) => String(value ?? data.blocks.at(-1)) },
          {
            label: box.dataset.llrLabel,
            stroke: ink.accent,
            width: 2,
            points: { show: data.blocks.length < 40, size: 6, fill: ink.accent },
            value: (_plot, value) => two(value ?? data.llr.at(-1)),
          },
        ],
        hooks: { draw: [bounds(data, ink)] },
      },
      [data.blocks, data.llr],
      box,
    );
  }

  const load = keep(box, draw);
  document.addEventListener("htmx:after:swap", load);
})();
