// Columns back into events: the way back of `replays/transfer.py`, which tells the form.

const FIRST_SIGN = 33;
const ABSENT = "~";
const GROWING = ["taken", "tricks"];

/** The number a sign stands for: ASCII from "!" on, without the quotation mark and the backslash. */
const numberOf = (sign) => {
  const code = sign.charCodeAt(0);
  return code - FIRST_SIGN - (code > 34) - (code > 92);
};

/** The values of a column, one at a call; `newest` holds each kind's newest event, for columns that repeat. */
function reader(column, newest) {
  let next = 0;
  if (typeof column === "string") {
    const [kind, name] = column.split(".");
    return () => newest[kind][name];
  }
  return column.signs ? () => column.values[numberOf(column.signs[next++])] : () => column[next++];
}

/** The deals of a packed match with their events, and by action what its seat's CPU time grew by, in 10 ms. */
export function unpack({ kinds, deals, columns, cpu, ...rest }) {
  const newest = {};
  const readers = columns.map((fields) =>
    Object.entries(fields).map(([name, column]) => [...name.split("."), reader(column, newest)]),
  );
  let action = -1;
  const read = (sign) => {
    const kind = numberOf(sign);
    const event = { event: kinds[kind] };
    for (const [name, ...more] of readers[kind]) {
      const value = more.at(-1)();
      if (value === ABSENT) continue;
      if (more.length === 1) event[name] = name === "action" ? (action += value) : value;
      else (event[name] ??= {})[more[0]] = GROWING.includes(more[0]) ? grow(more[0], value) : value;
    }
    return (newest[event.event] = event);
  };
  let sums = {};
  const grow = (name, by) => (sums[name] = by.map((each, seat) => each + (sums[name]?.[seat] ?? 0)));
  const told = deals.map((signs, deal) => {
    sums = {};
    return { deal, events: [...signs].map(read) };
  });
  const { length } = cpu.signs ?? cpu;
  return { ...rest, deals: told, cpu: Array.from({ length }, reader(cpu, newest)) };
}
