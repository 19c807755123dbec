// The steps of the article: each reads its own section of the page, and writes what the numbers say.
import { METRICS, closeness, truthsOf } from './metrics.js';
import { bars, legend, people } from './dots.js';

const GRADES = ['green', 'yellow', 'orange', 'red'], REVIEWS = ['reject', 'weak reject', 'undecided', 'weak accept', 'accept'], MOODS = ['negative', 'neutral', 'positive'];
const START = { labels: GRADES, table: [[8, 0, 0, 0], [0, 6, 0, 0], [0, 0, 4, 0], [0, 0, 1, 1]] };
const SYSTEMS = { A: [[5, 1, 4], [5, 50, 5], [7, 8, 15]], B: [[7, 1, 2], [12, 45, 3], [4, 8, 18]] };
const VISITS = { nurse: { called: [0, 3, 16, 69], steps: 582 }, model: { called: [2, 7, 35, 44], steps: 411 } };
const PROMISES = [['3000012000003000000000000', '3000000000102000003000000'], ['0000003000003000012000000', '0000003000003000102000000'], ['0000004100003000002000000', '0000005000003000011000000']]
  .map(pair => pair.map(cells => REVIEWS.map((_, t) => [...cells.slice(5 * t, 5 * t + 5)].map(Number))));
const number = value => value.toFixed(3).replace('-', '−');
const find = (id, ...names) => names.map(name => document.querySelector(`#${id} ${name}`));

// 1: the state stands in the fragment, so that a link brings it back
function fromFragment() {
  const query = new URLSearchParams(location.hash.slice(1)), labels = (query.get('classes') ?? '').split(',').map(name => name.slice(0, 60));
  const table = (query.get('table') ?? '').split(';').map(row => row.split(',').map(cell => (/^\d{1,3}$/.test(cell) ? Number(cell) : NaN)));
  const fine = table.length > 1 && table.length < 7 && labels.length === table.length && labels.every(Boolean) && table.every(row => row.length === table.length && !row.some(Number.isNaN));
  return fine && table.flat().reduce((a, b) => a + b) <= 400 ? { labels, table } : structuredClone(START);
}
let end = () => {};
function blind() {
  const [svg, key, lines, said, again] = find('blind', 'svg', '.legend', '.bars', '[role=status]', 'button'), { labels, table } = fromFragment();
  const scores = [['accuracy', 'right or wrong (accuracy)', 0, 1], ['mae', 'steps off (MAE)', labels.length - 1, 0], ['cem', 'how close (CEM)', 0, 1]];
  end();
  legend(key, labels);
  bars(lines, table, scores);
  end = people(svg, { labels, table, moved: now => bars(lines, now, scores), done: (now, words) => {
    said.textContent = words;
    history.replaceState(null, '', `#${new URLSearchParams({ classes: labels.join(','), table: now.map(row => row.join(',')).join(';') })}`);
  } });
  again.onclick = () => { history.replaceState(null, '', location.pathname); said.textContent = ''; blind(); };
}
addEventListener('hashchange', blind);
blind();

// 2
const slide = (id, show) => { const [range, out, said] = find(id, 'input', 'output', '.said'), tell = () => { said.textContent = show(Number(range.value), out); }; range.oninput = tell; tell(); };
slide('lengths', (red, out) => {
  out.textContent = red;
  const x = 3 / 20, y = (2 * (red - 3)) / 20, winner = x === y ? 'they are equal' : `${x < y ? 'X' : 'Y'} errs less`;
  return `MAE of X ${number(x)}, of Y ${number(y)}: ${winner}. They are equal at 4.5. Accuracy is 0.850 and 0.900, CEM 0.923 and 0.930, whatever the number.`;
});

// 3 and 4: a table of buttons
function pressable(box, labels, texts, press) {
  const table = document.createElement('table'), cell = (tag, text) => { const element = document.createElement(tag); element.textContent = text; return element; };
  const head = cell('tr', ''); head.append(cell('th', 'true ↓ called →'), ...labels.map(label => cell('th', label)));
  table.append(head, ...labels.map((label, t) => {
    const row = cell('tr', ''); row.append(cell('th', label), ...labels.map((answer, p) => {
      const td = cell('td', ''), button = cell('button', texts[t][p]);
      button.type = 'button'; button.setAttribute('aria-label', `true ${label}, called ${answer}: ${texts[t][p]}`);
      button.onclick = () => { table.querySelectorAll('[aria-pressed]').forEach(one => one.removeAttribute('aria-pressed')); button.setAttribute('aria-pressed', 'true'); press(t, p); };
      td.append(button);
      return td;
    }));
    return row;
  }));
  box.replaceChildren(table);
}
function counted(sizes, labels, t, p) {
  const others = p <= t ? sizes.slice(p + 1, t + 1) : sizes.slice(t, p).reverse(), rows = sizes.reduce((a, b) => a + b);
  return `Answer ${labels[p]}, truth ${labels[t]}: −log₂ ( (${[`${sizes[p]}/2`, ...others].join(' + ')}) / ${rows} ) = ${number(closeness(sizes, t, p))} bits`;
}
const [journal, reviews, between] = find('between', 'select', '.table', '.said');
(journal.onchange = () => {
  const sizes = journal.value.split(',').map(Number), show = (t, p) => { between.textContent = counted(sizes, REVIEWS, t, p); };
  pressable(reviews, REVIEWS, REVIEWS.map((_, t) => REVIEWS.map((_, p) => number(closeness(sizes, t, p)))), show);
  show(1, 3);
})();
const [system, cells, worked] = find('cem', 'select', '.table', '.said');
(system.onchange = () => {
  const table = SYSTEMS[system.value], sizes = truthsOf(table), right = t => closeness(sizes, t, t);
  const earned = table.flatMap((row, t) => row.map((n, p) => n * closeness(sizes, t, p))).reduce((a, b) => a + b), most = sizes.map((n, t) => n * right(t)).reduce((a, b) => a + b);
  const show = (t, p) => { worked.textContent = `${counted(sizes, MOODS, t, p)} (${Math.round((100 * closeness(sizes, t, p)) / right(t))} % of a right answer). All: ${number(earned)} of ${number(most)} bits, CEM ${number(METRICS.cem(table))}; accuracy ${number(METRICS.accuracy(table))}.`; };
  pressable(cells, MOODS, table, show);
  show(2, 1);
})();

// 5
const [promise, judge, verdict, signs] = find('promises', '.promise', '.judge', '.said', '.legend'), [first, second] = document.querySelectorAll('#promises svg.people');
let ends = [];
(promise.onchange = judge.onchange = () => {
  ends.forEach(stop => stop());
  legend(signs, REVIEWS);
  const [before, after] = PROMISES[promise.value], higher = judge.value === 'mae' ? -1 : 1;
  const tell = now => {
    const [a, b] = [before, now].map(METRICS[judge.value]), same = Math.abs(a - b) < 1e-12, kept = promise.value === '0' ? same : !same && higher * (a - b) > 0;
    verdict.textContent = `${number(a)} and ${number(b)}: the promise is ${kept ? 'kept' : 'broken'}.`;
  };
  ends = [people(first, { labels: REVIEWS, table: before, fixed: true }), people(second, { labels: REVIEWS, table: after, moved: tell })];
  tell(after);
})();

// 6 and 7
const shared = (table, share) => table.map((row, t) => row.map(n => (n / row.reduce((a, b) => a + b)) * 100 * [(1 - share) / 4, share, (3 * (1 - share)) / 4][t]));
slide('share', (percent, out) => {
  out.textContent = `${percent} %`;
  const [a, b] = ['A', 'B'].map(name => shared(SYSTEMS[name], percent / 100));
  return `CEM of A ${number(METRICS.cem(a))}, of B ${number(METRICS.cem(b))}; accuracy ${number(METRICS.accuracy(a))} and ${number(METRICS.accuracy(b))}. CEM is equal at 88.4 %.`;
});
slide('misleads', (weight, out) => {
  out.textContent = weight;
  const [nurse, model] = ['nurse', 'model'].map(who => VISITS[who].steps + weight * VISITS[who].called.reduce((sum, n, p) => sum + n * (3 - p), 0));
  return `Steps off, those of a red times ${weight}: nurse ${Math.round(nurse)}, model ${Math.round(model)}. They are equal at 5.18.`;
});
people(document.querySelector('#misleads svg.people'), { labels: GRADES, columns: ['88 reds by the nurse', '88 reds by the model'], table: [VISITS.nurse.called, VISITS.model.called], fixed: true });
legend(document.querySelector('#misleads .legend'), GRADES);
