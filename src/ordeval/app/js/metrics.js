// Eleven scores of a table of counts: a row for each true class, a column for each answer, the lowest class first.
// NaN where a score is undefined.  The values are those of the Python library: tests/js runs them on the conformance vectors.
const add = numbers => numbers.reduce((a, b) => a + b, 0);
const every = (table, value) => add(table.map((row, t) => add(row.map((n, p) => n && n * value(t, p)))));
const apart = (t, p) => Math.abs(t - p);
const same = (t, p) => (t === p ? 1 : 0);
const ratio = (a, b) => (b === 0 ? NaN : a / b);

export const truthsOf = table => table.map(add);
export const answersOf = table => table.map((_, p) => add(table.map(row => row[p])));
const overRows = (table, value) => ratio(every(table, value), add(truthsOf(table)));

/** The mean over the classes that have rows of each class's own mean. */
function overClasses(table, value) {
  const present = table.map((row, t) => [row, t]).filter(([row]) => add(row) > 0);
  return ratio(add(present.map(([row, t]) => add(row.map((n, p) => n * value(t, p))) / add(row))), present.length);
}

/** Cohen's kappa with quadratic weights. */
function quadraticKappa(table) {
  const square = (t, p) => (t - p) ** 2, truths = truthsOf(table), answers = answersOf(table);
  const byChance = every(truths.map(a => answers.map(b => a * b)), square);
  return 1 - ratio(add(truths) * every(table, square), byChance);
}

/** Kendall's tau-b: pairs of rows in the same order less pairs in opposite order, ties taken into account. */
function tauB(table) {
  const below = (t, p, side) => add(table.slice(t + 1).map(row => add(side < 0 ? row.slice(0, p) : row.slice(p + 1))));
  const ordered = every(table, (t, p) => below(t, p, 1) - below(t, p, -1));
  const rows = add(truthsOf(table)), pairs = n => (n * (n - 1)) / 2;
  const untied = sizes => pairs(rows) - add(sizes.map(pairs));
  const [byTruth, byAnswer] = [untied(truthsOf(table)), untied(answersOf(table))];
  return byTruth > 0 && byAnswer > 0 ? ordered / Math.sqrt(byTruth) / Math.sqrt(byAnswer) : NaN;
}

/** How close an answer is to a truth, in bits: the rarer the rows from the answer (half of its own class) to the truth, the closer. */
export function closeness(classes, t, p) {
  const between = p <= t ? classes.slice(p + 1, t + 1) : classes.slice(t, p);
  const inside = classes[p] / 2 + add(between), rows = add(classes);
  return inside === 0 ? Infinity : Math.log1p((rows - inside) / inside) / Math.LN2;
}

/** Closeness Evaluation Measure: the closeness reached, of the closeness of being right. */
function cem(table) {
  const classes = truthsOf(table);
  return ratio(every(table, (t, p) => closeness(classes, t, p)), add(classes.map((n, t) => n && n * closeness(classes, t, t))));
}

/** Ordinal classification index: the least loss over all paths from the lowest cell to the highest. */
function oci(table, share = 0.75) {
  const rows = add(truthsOf(table)), steps = every(table, apart), last = table.length - 1;
  if (rows === 0) return NaN;
  const kept = table.map(() => []);
  table.forEach((row, t) => row.forEach((n, p) => {
    const penalty = last ? (share * apart(t, p) * n) / (last * rows) : 0;
    const before = [kept[t - 1]?.[p], kept[t][p - 1], kept[t - 1]?.[p - 1]].filter(x => x !== undefined);
    kept[t][p] = n / (rows + steps) - penalty + (before.length ? Math.max(...before) : 0);
  }));
  return Math.max(0, 1 - kept[last][last]);
}

/** Standardized total cost on ranks: an error costs its steps over the size of the class that was answered. */
function stc(table) {
  const classes = truthsOf(table), rows = add(classes);
  if (classes.filter(n => n > 0).length < 2) return NaN;
  const prices = classes.map((_, t) => classes.map((n, p) => (n ? apart(t, p) / n : 0)));
  const most = prices.map(row => Math.max(...row));
  const cost = every(table, (t, p) => (t === p ? 0 : (rows - classes[t]) * (classes[p] ? prices[t][p] : most[t])));
  return Math.min(1, cost / add(classes.map((n, t) => (rows - n) * n * most[t])));
}

export const METRICS = {
  accuracy: table => overRows(table, same),
  accuracy_within: table => overRows(table, (t, p) => (apart(t, p) <= 1 ? 1 : 0)),
  balanced_accuracy: table => overClasses(table, same),
  mae: table => overRows(table, apart),
  amae: table => overClasses(table, apart),
  bias: table => overRows(table, (t, p) => p - t),
  cohen_kappa: quadraticKappa, kendall_tau: tauB, cem, oci, stc,
};
