/** Whether a text has a word that only English has. */
export const hasEnglishWord = (text: string): boolean =>
  /\b(the|and|of|is|are|with|your|this|that|not|has|have|from|only|which|when|it|no|yes|be)\b/i.test(text);

/** Runs in the page: its texts and labels, without code, data, and texts marked as English. */
export const shownTexts = `(() => {
  const skipped = "[lang=en], code, pre, .mono, .smtp, .cm-editor, iframe, script, style, noscript";
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    if (text && !walker.currentNode.parentElement.closest(skipped)) texts.push(text);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const element of document.querySelectorAll("[" + name + "]"))
      if (!element.closest(skipped)) texts.push(element.getAttribute(name));
  return [...new Set(texts)];
})()`;
