/** The page is served by the service itself, so it knows the address that samples need. */

const PLACEHOLDER = 'https://the-address-you-were-given';

export function showOrigin(): void {
  const withOrigin = (text: string) => text.replaceAll(PLACEHOLDER, location.origin);
  for (const block of document.querySelectorAll('.expressive-code code')) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      currentNode.nodeValue = withOrigin(currentNode.nodeValue ?? '');
    }
  }
  for (const button of document.querySelectorAll<HTMLElement>('[data-code]')) {
    button.dataset.code = withOrigin(button.dataset.code ?? '');
  }
}
