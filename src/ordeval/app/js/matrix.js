// A table of truth (down) and answer (across): fields to type into (mode "edit"), buttons (mode "look"), or plain cells (mode "show").
// Labels and messages go in as text only.  The fields are the visitor's: they are drawn anew only for another table (labels, version).
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector('.matrix'), { labels, mode } = data, k = labels.length;
  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const drawn = JSON.stringify(mode === 'edit' ? [labels, mode, data.version] : data);
  if (root.state?.drawn === drawn) return;
  clearTimeout(root.state?.timer);
  const state = root.state = { drawn, cells: data.cells.map(row => [...row]), fields: [], timer: 0, waiting: false };
  const said = make('p', 'said');
  said.setAttribute('role', 'status');

  const send = () => { clearTimeout(state.timer); if (state.waiting) { state.waiting = false; setStateValue('cells', state.cells.map(row => [...row])); } };
  const later = () => { state.waiting = true; clearTimeout(state.timer); state.timer = setTimeout(send, 150); };
  function take(t, p) {  // what stands in a field, if it is a count; else the last count holds, and it is said why
    const field = state.fields[t][p], text = field.value.replace(/[\s,\u202f']/g, '');
    const number = text === '' ? 0 : Number(text), fine = (data.fractions ? /^\d*\.?\d*$/ : /^\d*$/).test(text) && number <= data.largest;
    if (fine) { field.removeAttribute('aria-invalid'); state.cells[t][p] = number; later(); } else field.setAttribute('aria-invalid', 'true');
    const wrong = state.fields.flat().find(one => one.getAttribute('aria-invalid'));
    said.textContent = !wrong ? '' : `“${wrong.value.slice(0, 20)}” is not a ${data.fractions ? '' : 'whole '}number from 0 to ${data.largest.toLocaleString('en')}; `
      + `the last count, ${state.cells[wrong.place[0]][wrong.place[1]].toLocaleString('en')}, is kept.`;
  }
  function field(t, p) {
    const input = make('input');
    Object.assign(input, { type: 'text', inputMode: data.fractions ? 'decimal' : 'numeric', autocomplete: 'off', value: state.cells[t][p], place: [t, p] });
    input.onfocus = input.onclick = () => input.select();
    input.oninput = () => take(t, p);
    input.onblur = send;
    input.onkeydown = event => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (step) {
        event.preventDefault();
        input.value = Math.min(data.largest, Math.max(0, state.cells[t][p] + step * (event.shiftKey ? 10 : 1)));
        take(t, p);
      } else if (event.key === 'Enter') {
        event.preventDefault();
        state.fields[(t + 1) % k][t + 1 < k ? p : (p + 1) % k].focus();
      }
    };
    input.onpaste = event => {  // a block from a spreadsheet
      const lines = event.clipboardData.getData('text').replace(/\r?\n$/, '').split(/\r?\n/).map(line => line.split('\t'));
      if (lines.length === 1 && lines[0].length === 1) return;
      event.preventDefault();
      lines.forEach((words, i) => words.forEach((word, j) => {
        const other = state.fields[t + i]?.[p + j];
        if (other) { other.value = word.trim(); take(t + i, p + j); }
      }));
    };
    return input;
  }

  const table = make('table'), head = make('tr');
  table.append(make('caption', '', data.caption), make('thead'), make('tbody'));
  table.children[1].append(head);
  head.append(make('th', 'corner', data.corner));
  labels.forEach(label => { const th = make('th', '', label); th.scope = 'col'; head.append(th); });
  if (data.notes) head.append(make('th', 'note', data.notes_title));
  labels.forEach((label, t) => {
    const line = make('tr'), th = make('th', '', label);
    th.scope = 'row';
    line.append(th);
    state.fields.push([]);
    labels.forEach((answer, p) => {
      const text = data.texts ? data.texts[t][p] : data.cells[t][p].toLocaleString('en');
      const cell = mode === 'edit' ? field(t, p) : make(mode === 'look' ? 'button' : 'span', 'cell', text);
      const shade = data.shades?.[t]?.[p], names = [t === p && 'right', data.marked?.some(([a, b]) => a === t && b === p) && 'marked'];
      if (mode !== 'edit' && shade !== undefined && shade !== null) {
        cell.style.setProperty('--shade', `${Math.round(100 * shade)}%`);
        names.push(shade > 0.5 ? 'dark' : 'shaded');
      }
      if (data.pick && data.pick[0] === t && data.pick[1] === p) { names.push('picked'); cell.setAttribute('aria-pressed', 'true'); }
      if (mode !== 'show') cell.setAttribute('aria-label', `true ${label}, predicted ${answer}${mode === 'edit' ? '' : `: ${text}`}`);
      if (mode === 'look') cell.onclick = () => setTriggerValue('cell', [t, p]);
      state.fields[t].push(cell);
      const td = make('td', names.filter(Boolean).join(' '));
      td.append(cell);
      line.append(td);
    });
    if (data.notes) line.append(make('td', 'note', data.notes[t]));
    table.children[2].append(line);
  });
  const box = make('div', 'scroll');
  box.append(table);
  root.replaceChildren(box, said);
  const reach = () => { if (box.scrollWidth > box.clientWidth + 1) { box.tabIndex = 0; box.setAttribute('role', 'group'); box.setAttribute('aria-label', data.caption); } else { box.removeAttribute('tabindex'); box.removeAttribute('role'); box.removeAttribute('aria-label'); } };
  root.watch?.disconnect();
  root.watch = new ResizeObserver(reach);
  root.watch.observe(box);
  reach();
}
