/** What scripts add to the pages of the documentation, which can be read without them. */
import '../../browser/token-control.ts';
import './field-filter.ts';
import './tabs.ts';
import './try-it.ts';

const HOST = 'the-address-you-were-given';

/** The page is served by the service itself, so it knows the address that samples need. */
function showOrigin(): void {
  for (const line of document.querySelectorAll('.ec-line')) {
    if (!line.textContent.includes(HOST)) continue;
    // Colours part an address: its protocol and its host are texts of their own.
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      text.data = text.data.replace('https', location.protocol.slice(0, -1));
      text.data = text.data.replace(HOST, location.host);
    }
  }
  for (const button of document.querySelectorAll<HTMLElement>('[data-code]')) {
    const { code = '' } = button.dataset;
    button.dataset.code = code.replaceAll(`https://${HOST}`, location.origin);
  }
}

showOrigin();
