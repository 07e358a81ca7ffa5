/** The page is served by the service itself, so it knows the address that samples need. */

const PLACEHOLDER = 'https://the-address-you-were-given';

export function showOrigin(): void {
  const withOrigin = (text: string) => text.replaceAll(PLACEHOLDER, location.origin);
  for (const line of document.querySelectorAll('.ec-line .code')) {
    if (line.textContent.includes(PLACEHOLDER)) line.textContent = withOrigin(line.textContent);
  }
  for (const button of document.querySelectorAll<HTMLElement>('[data-code]')) {
    button.dataset.code = withOrigin(button.dataset.code ?? '');
  }
}
