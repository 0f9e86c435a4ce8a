// The rating graph of a bot's page: the live rating, and the band of the fit where there is one. The table
// under it holds the live values.
(() => {
  const box = document.getElementById("rating-chart");
  if (!box) return;
  const { HEIGHT, dashed, keep, look } = window.arenaCharts;

  const instant = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
  const whole = (value) => String(Math.floor(value + 0.5));
  const last = (values) => values.findLast((value) => value != null);

  function versionLines(data, ink) {
    return (plot) =>
      dashed(plot, ink.muted, (ctx, area) => {
        data.version.forEach((number, index) => {
          if (index > 0 && data.version[index - 1] === number) return;
          const x = plot.valToPos(data.at[index], "x", true);
          ctx.beginPath();
          ctx.moveTo(x, area.top);
          ctx.lineTo(x, area.top + area.height);
          ctx.stroke();
          ctx.fillText(`v${number}`, x + 4 * devicePixelRatio, area.top);
        });
      });
  }

  // At least 40 rating points high, so that a small change does not look like a cliff.
  function range(_plot, low, high) {
    const middle = (low + high) / 2;
    const half = Math.max((high - low) * 0.6, 20);
    return [Math.floor((middle - half) / 5) * 5, Math.ceil((middle + half) / 5) * 5];
  }

  const CLOCK = [
    [3600 * 24 * 365, "{YYYY}", null, null, null, null, null, null, 1],
    [3600 * 24 * 28, "{MMM}", "\n{YYYY}", null, null, null, null, null, 1],
    [3600 * 24, "{D} {MMM}", "\n{YYYY}", null, null, null, null, null, 1],
    [60, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
    [1, "{HH}:{mm}:{ss}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
  ];
  // Whole seconds at least: a finer grid would print the same second twice.
  const INSTANTS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, ...[1, 2, 7, 14, 28, 91, 182, 365].map((days) => days * 86400)];

  function draw(data) {
    const { ink, axis } = look(box);
    const banded = data.fit_at.length > 1;
    const table = banded
      ? uPlot.join([[data.at, data.rating], [data.fit_at, data.fit, data.low, data.high]])
      : [data.at, data.rating];
    const line = (label, values, options) => ({
      label,
      spanGaps: true,
      points: { show: false },
      value: (_plot, value) => whole(value ?? last(values)),
      ...options,
    });
    const band = banded
      ? [
          line(box.dataset.fitLabel, data.fit, { stroke: ink.muted, width: 1, dash: [6, 4] }),
          line(box.dataset.lowLabel, data.low, { stroke: ink.hairline, width: 1 }),
          line(box.dataset.highLabel, data.high, { stroke: ink.hairline, width: 1 }),
        ]
      : [];
    return new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
        scales: { y: { range } },
        cursor: { y: false },
        axes: [
          { ...axis, values: CLOCK, space: 80, incrs: INSTANTS },
          { ...axis, size: 52, values: (_plot, values) => values.map(String) },
        ],
        series: [
          { label: box.dataset.timeLabel, value: (_plot, at) => instant(at ?? data.at.at(-1)) },
          line(box.dataset.ratingLabel, data.rating, {
            stroke: ink.accent,
            width: 2,
            points: { show: data.at.length < 40, size: 6, fill: ink.accent },
          }),
          ...band,
        ],
        bands: banded ? [{ series: [4, 3], fill: ink.band }] : [],
        hooks: { draw: [versionLines(data, ink)] },
      },
      table,
      box,
    );
  }

  keep(box, draw);
})();
