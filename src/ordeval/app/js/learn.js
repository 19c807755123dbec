// People as dots with their scores as bars, which move while a dot is held; the table is sent when it is let go.
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector('.learn'), drawn = JSON.stringify([data.labels, data.columns, data.version, data.scores, data.fixed, data.fixed && data.table]);
  if (root.drawn === drawn) return;
  root.drawn = drawn;
  root.end?.();
  const [svg, key, lines, said] = root.children;
  legend(key, data.labels);
  bars(lines, data.table, data.scores);
  root.end = people(svg, {
    labels: data.labels, columns: data.columns ?? data.labels, table: data.table, fixed: data.fixed, moved: table => bars(lines, table, data.scores),
    done: (table, words) => { said.textContent = words; setStateValue('table', table); },
  });
}
