/** The page is served by the service itself, so it knows the address that samples need. */

const PLACEHOLDER = 'https://the-address-you-were-given';

export function showOrigin(): void {
  for (const code of document.querySelectorAll('.code.origin code')) {
    code.textContent = code.textContent?.replace(PLACEHOLDER, location.origin) ?? null;
  }
}
