/** Replaces a text in code, and in what its buttons copy. The text has one colour, and so an element of its own. */
export function replaceInCode(code: ParentNode, text: string, other: string): void {
  for (const word of code.querySelectorAll('.code > span')) {
    if (word.textContent.includes(text)) word.textContent = word.textContent.replace(text, other);
  }
  for (const { dataset } of code.querySelectorAll<HTMLElement>('[data-code]')) {
    dataset.code = dataset.code?.replace(text, other);
  }
}
