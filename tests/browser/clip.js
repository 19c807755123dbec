// What is cut on a page: charts, drawings and tables that reach beyond their place, text beyond its drawing, a page wider than the window.
() => {
  const found = [], edge = innerWidth + 1;
  const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')].filter(chart => chart.checkVisibility());
  for (const chart of charts) {
    const name = (chart.getAttribute('aria-label') || chart.textContent || '').slice(0, 40), place = chart.getBoundingClientRect();
    for (let box = chart; box && box.dataset.testid !== 'stMain'; box = box.parentElement) {
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible') { found.push(`${name}: a box of ${box.clientWidth} hides ${box.scrollWidth}`); break; }
    }
    const drawing = chart.querySelector('svg, canvas');
    if (!drawing) { found.push(`${name}: nothing is drawn`); continue; }
    const sheet = drawing.getBoundingClientRect();
    if (sheet.right > place.right + 1 || sheet.right > edge) found.push(`${name}: drawn to ${Math.round(sheet.right)}, its place ends at ${Math.round(place.right)}`);
    for (const text of chart.querySelectorAll('svg text')) {
      const box = text.getBoundingClientRect();
      if (box.width && (box.left < sheet.left - 1 || box.right > sheet.right + 1 || box.top < sheet.top - 1 || box.bottom > sheet.bottom + 1)) found.push(`${name}: “${text.textContent}” leaves the drawing`);
    }
  }
  // the pieces of our own: what does not scroll by itself must fit, and text in a drawing of people must stay in it
  for (const host of document.querySelectorAll('[data-testid=stBidiComponentRegular], [data-testid=stBidiComponentIsolated], [data-testid^=stBidiComponent]')) {
    const root = host.shadowRoot || [...host.querySelectorAll('*')].find(e => e.shadowRoot)?.shadowRoot || host;
    for (const element of root.querySelectorAll('table, ol, svg')) {
      const box = element.getBoundingClientRect(), scrolls = element.closest('.scroll');
      if (!scrolls && box.right > edge) found.push(`${element.tagName} reaches to ${Math.round(box.right)}`);
      if (scrolls && scrolls.scrollWidth > scrolls.clientWidth + 1 && scrolls.tabIndex !== 0) found.push('a table that scrolls cannot be reached by Tab');
    }
    for (const text of root.querySelectorAll('svg text')) {
      const box = text.getBoundingClientRect(), sheet = text.ownerSVGElement.getBoundingClientRect();
      if (box.left < sheet.left - 1 || box.right > sheet.right + 1) found.push(`“${text.textContent}” leaves its drawing`);
    }
  }
  if (document.documentElement.scrollWidth > edge) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const main = document.querySelector('[data-testid=stMain]');
  if (main && main.scrollWidth > main.clientWidth + 1) found.push(`the text is ${main.scrollWidth} wide`);
  for (const wrong of document.querySelectorAll('[data-testid=stException]')) found.push(`an error: ${wrong.textContent.slice(0, 60)}`);
  return { found, charts: charts.length, alerts: document.querySelectorAll('[data-testid=stAlert]').length };
}
