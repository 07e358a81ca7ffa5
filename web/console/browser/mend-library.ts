/**
 * Gives controls of the library the names and states that it forgets and that screen readers need.
 * What axe finds besides is listed in the tests of the console.
 */
export function mendLibrary(place: HTMLElement): void {
  mend(place);
  new MutationObserver(() => mend(place)).observe(place, { childList: true, subtree: true });
}

function mend(place: HTMLElement): void {
  for (const button of place.querySelectorAll('button.scalar-code-copy:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const field of place.querySelectorAll('.code-input-lite__editor:not([aria-label])')) {
    field.setAttribute('aria-label', 'Value');
    // A combobox says whether its list is open. These offer none.
    if (!field.hasAttribute('aria-expanded')) field.setAttribute('aria-expanded', 'false');
  }
}
