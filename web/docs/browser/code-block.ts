/** Changes the text of a block of code whose words were coloured when the page was built. */

/** Returns a function that writes another text into the block; what stays of its lines keeps its colours. */
export function codeWriter(block: HTMLElement): (source: string) => void {
  const code = block.querySelector('code') as HTMLElement;
  const copy = block.parentElement?.querySelector<HTMLElement>('[data-code]');
  const coloured = [...code.children].map((line) => ({ line, text: textOf(line) }));
  return (source) => {
    const texts = source.split('\n');
    const unused = coloured.filter(({ text }) => !texts.includes(text));
    const lines = texts.map((text) => {
      const same = coloured.find((each) => each.text === text);
      if (same) return same.line.cloneNode(true);
      const alike = unused.toSorted((a, b) => common(b.text, text) - common(a.text, text))[0];
      return changed(alike?.line ?? (coloured[0] as { line: Element }).line, text);
    });
    code.replaceChildren(...lines);
    // The button that copies writes the ends of lines so.
    if (copy) copy.dataset.code = texts.join('\u007F');
  };
}

const textOf = (line: Node): string => line.textContent?.replace(/\n$/, '') ?? '';

/** Counts the characters that two texts begin with alike. */
function common(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
}

/** Returns a copy of a line with another text. New words have the colour of the word before them. */
function changed(line: Element, text: string): Node {
  const copy = line.cloneNode(true);
  const old = textOf(line);
  const start = common(old, text);
  const longest = Math.min(old.length, text.length) - start;
  let end = 0;
  while (end < longest && old.at(-1 - end) === text.at(-1 - end)) end++;
  const nodes = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  let inserted = text.slice(start, text.length - end);
  let offset = 0;
  while (nodes.nextNode()) {
    const node = nodes.currentNode as Text;
    const { data } = node;
    const before = data.slice(0, Math.max(0, start - offset));
    const after = data.slice(Math.max(0, old.length - end - offset));
    offset += data.length;
    node.data = offset < start ? before : before + inserted + after;
    if (offset >= start) inserted = '';
  }
  return copy;
}
