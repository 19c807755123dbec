// What is wrong with a report on this screen: a page wider than the window, words broken inside or cut off, text beyond its drawing.
() => {
  const found = [], edge = document.documentElement.clientWidth + 1;
  if (document.documentElement.scrollWidth > edge) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const place = node.parentElement;
    if (place.closest('svg, pre, dd, style') || !place.checkVisibility() || place.closest('thead') && innerWidth <= 640) continue;
    for (const word of node.data.matchAll(/[^\s\u2009-]+/g)) {
      range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
      const boxes = [...range.getClientRects()].filter(box => box.width);
      if (new Set(boxes.map(box => Math.round(box.top))).size > 1) found.push(`“${word[0]}” is broken`);
      if (boxes.some(box => box.right > edge) && !place.closest('.wide')) found.push(`“${word[0]}” is cut`);
    }
  }
  for (const text of document.querySelectorAll('figure svg text')) {
    if (!text.checkVisibility()) continue;
    const box = text.getBoundingClientRect(), sheet = text.ownerSVGElement.getBoundingClientRect();
    if (box.left < sheet.left - 2 || box.right > sheet.right + 2 || box.top < sheet.top - 2 || box.bottom > sheet.bottom + 2)
      found.push(`“${text.textContent}” leaves its drawing`);
  }
  for (const box of document.querySelectorAll('.wide'))
    if (box.checkVisibility() && box.scrollWidth > box.clientWidth + 1 && innerWidth <= 640) found.push(`a table is ${box.scrollWidth} wide`);
  return found;
}
