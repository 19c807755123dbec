// People as dots: the column is the true class, colour and shape are the answer.  Drag a dot sideways, or focus it and press ← →.
import { METRICS } from './metrics.js';

const COLOURS = ['#123163', '#2c6fb0', '#7fb0d6', '#f2c078', '#c8611f', '#7a2f12'];  // told apart in grey, too
const SHAPES = ['M-9,0a9,9 0 1 0 18,0a9,9 0 1 0 -18,0', 'M0,-11L11,0L0,11L-11,0Z', 'M-8.5,-8.5H8.5V8.5H-8.5Z', 'M0,-10L11,9H-11Z',
  'M0,-11.5L3.2,-3.6L11,-3.4L4.8,1.6L7,9.6L0,5L-7,9.6L-4.8,1.6L-11,-3.4L-3.2,-3.6Z', 'M-10,-7H10L0,11Z'];
const MARK = 26;  // pixels from one dot to the next

function draw(tag, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Show a table as people in `svg`; `moved(table)` while one is held, `done(table, words)` when it is let go.  Returns a way to end. */
export function people(svg, { labels, columns = labels, table, fixed = false, moved = () => {}, done = () => {} }) {
  const k = labels.length, answers = table.map(row => row.flatMap((n, p) => Array(n).fill(p)));
  const count = () => table.map((_, t) => table.map((_, p) => answers[t].filter(answer => answer === p).length));
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', 'People in the column of their true class; the shape of each is the answer');
  function paint() {
    const width = Math.max(svg.clientWidth || 640, 200), column = width / columns.length, narrow = width < 480;
    const across = Math.max(2, Math.floor((column - 8) / MARK) - (narrow ? 0 : 1));
    const deep = Math.max(...answers.map(one => Math.ceil(one.length / across)), 1), height = 48 + MARK * deep, size = narrow ? 14 : 15;
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('height', height);
    svg.replaceChildren();
    columns.forEach((label, t) => {
      const fits = Math.floor((column - 4) / (size * 0.58)), words = label.length > fits ? `${label.slice(0, fits - 1)}…` : label;
      svg.append(draw('line', { x1: column * t + 4, x2: column * (t + 1) - 4, y1: height - 28, y2: height - 28, class: 'axis' }),
        draw('text', { x: column * (t + 0.5), y: height - 8, 'text-anchor': 'middle', class: 'label', style: `font-size:${size}px` }, words));
      answers[t].forEach((_, i) => {
        const inRow = Math.min(across, answers[t].length), x = column * (t + 0.5) + (i % across - (inRow - 1) / 2) * MARK;
        const person = draw('g', { transform: `translate(${x},${height - 46 - Math.floor(i / across) * MARK})`, class: 'person' });
        const shape = draw('path', {});
        const show = () => {
          const p = answers[t][i];
          shape.setAttribute('d', SHAPES[p % SHAPES.length]);
          shape.setAttribute('fill', COLOURS[p % COLOURS.length]);
          if (!fixed) { person.setAttribute('aria-valuenow', p + 1); person.setAttribute('aria-valuetext', `called ${labels[p]}`); }
        };
        person.append(draw('circle', { r: MARK / 2, fill: 'transparent' }), shape);  // room for a finger
        svg.append(person);
        if (!fixed) {
          const given = { tabindex: 0, role: 'slider', 'aria-label': `truly ${label}, ${i + 1} of ${answers[t].length}`, 'aria-valuemin': 1, 'aria-valuemax': k };
          Object.entries(given).forEach(([name, value]) => person.setAttribute(name, value));
          const call = p => { answers[t][i] = Math.min(k - 1, Math.max(0, p)); show(); moved(count()); };
          const finish = before => answers[t][i] !== before && done(count(), `A person who is truly ${label} is now called ${labels[answers[t][i]]}.`);
          person.onkeydown = event => {
            const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key], before = answers[t][i];
            if (step) { event.preventDefault(); call(before + step); finish(before); }
          };
          person.onpointerdown = event => {
            event.preventDefault();
            person.focus({ preventScroll: true });
            person.setPointerCapture(event.pointerId);
            const before = answers[t][i], box = svg.getBoundingClientRect();
            person.onpointermove = at => { const p = Math.floor(((at.clientX - box.left) / box.width) * k); if (p !== answers[t][i]) call(p); };
            person.onpointerup = person.onpointercancel = () => { person.onpointermove = person.onpointerup = person.onpointercancel = null; finish(before); };
          };
        }
        show();
      });
    });
  }
  let last = 0;
  const watch = new ResizeObserver(() => { if (svg.clientWidth !== last) { last = svg.clientWidth; paint(); } });
  watch.observe(svg);
  last = svg.clientWidth;
  paint();
  return () => watch.disconnect();
}

/** The signs of the answers with their names. */
export function legend(box, labels) {
  box.replaceChildren(...labels.map((label, p) => {
    const item = document.createElement('span'), sign = draw('svg', { viewBox: '-12 -12 24 24', width: 16, height: 16, 'aria-hidden': 'true', class: 'person' });
    sign.append(draw('path', { d: SHAPES[p % SHAPES.length], fill: COLOURS[p % COLOURS.length] }));
    item.append(sign, ` ${label}`);
    return item;
  }));
}

/** A bar for each of some scores, from worst to best; `scores` holds [name, title, worst, best]. */
export function bars(box, table, scores) {
  scores.forEach(([name, title, worst, best], i) => {
    let line = box.children[i];
    if (!line || line.dataset.score !== name) {
      line = document.createElement('div');
      line.dataset.score = name;
      line.append(document.createElement('span'), document.createElement('i'), document.createElement('output'));
      line.children[1].append(document.createElement('b'));
      line.children[0].textContent = title;
      if (box.children[i]) box.children[i].replaceWith(line); else box.append(line);
    }
    const value = METRICS[name](table), share = (value - worst) / (best - worst);
    line.querySelector('b').style.width = `${100 * Math.min(1, Math.max(0, share || 0))}%`;
    line.querySelector('output').textContent = Number.isNaN(value) ? 'undefined' : value.toFixed(3).replace('-', '−');
  });
  while (box.children.length > scores.length) box.lastChild.remove();
}
