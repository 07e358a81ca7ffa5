/** Changes the text of a block of code whose words were coloured when the page was built. */

/** Returns a function that writes another text into the block; lines and words that stay keep their colours. */
export function codeWriter(block: HTMLElement): (source: string) => void {
  const code = block.querySelector('code') as HTMLElement;
  const copy = block.parentElement?.querySelector<HTMLElement>('[data-code]');
  const lines = [...code.children];
  return (source) => {
    const texts = source.split('\n');
    code.replaceChildren(
      ...texts.map((text) => {
        const [alike] = lines.toSorted((one, other) => likeness(other, text) - likeness(one, text));
        return alike ? rewritten(alike, text) : text;
      }),
    );
    // The button that copies writes the ends of lines so.
    if (copy) copy.dataset.code = texts.join('\u007F');
  };
}

/** Returns how many characters the line and the text begin with alike; if they are the same, more than any other. */
function likeness(line: Element, text: string): number {
  const own = line.textContent.trimEnd();
  if (own === text) return Number.POSITIVE_INFINITY;
  let alike = 0;
  while (alike < text.length && own[alike] === text[alike]) alike++;
  return alike;
}

/** Returns a copy of the line with another text: the words at its ends that stay keep their colours. */
function rewritten(line: Element, text: string): Node {
  const copy = line.cloneNode(true) as Element;
  const words = [...(copy.querySelector('.code')?.children ?? [])];
  let rest = text;
  let before: Element | undefined;
  while (words[0] && rest.startsWith(words[0].textContent)) {
    before = words.shift();
    rest = rest.slice(before?.textContent.length);
  }
  for (let last = words.at(-1); last && rest.endsWith(last.textContent); last = words.at(-1)) {
    rest = rest.slice(0, -last.textContent.length);
    words.pop();
  }
  // What is new has the colour of the longest word that it replaces.
  words.sort((one, other) => other.textContent.length - one.textContent.length);
  const [replaced, ...gone] = words;
  if (replaced) replaced.textContent = rest;
  else before?.append(rest);
  for (const word of gone) word.remove();
  return copy;
}
