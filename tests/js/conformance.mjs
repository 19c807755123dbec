// The eleven scores of the pages in JavaScript on every table of the conformance vectors.
// node conformance.mjs METRICS.js VECTORS.json.gz: prints what was tried, and fails where a value differs or too little was tried.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const TABLES = 2424, SCORES = 11, NEAR = 1e-12; // relative to the larger of 1 and the value
const [, , code, vectors] = process.argv;
const { METRICS } = await import(`data:text/javascript;base64,${readFileSync(code).toString('base64')}`);
const tables = JSON.parse(gunzipSync(readFileSync(vectors))).vectors;
let tried = 0, worst = 0;
const wrong = [];
for (const { table, values } of tables) {
  for (const [name, score] of Object.entries(METRICS)) {
    const wanted = values[name] === null ? NaN : Number(values[name]), given = score(table);
    const off = Number.isNaN(wanted) && Number.isNaN(given) ? 0 : Math.abs(given - wanted) / Math.max(1, Math.abs(wanted));
    tried += 1;
    if (off <= NEAR) worst = Math.max(worst, off);
    else wrong.push(`${name} of ${JSON.stringify(table)} is ${given} instead of ${wanted}`);
  }
}
console.log(`${tried} values of ${tables.length} tables and ${Object.keys(METRICS).length} scores tried, ${wrong.length} wrong, worst ${worst}`);
wrong.slice(0, 10).forEach(line => console.log(line));
process.exit(wrong.length || tried !== TABLES * SCORES ? 1 : 0);
