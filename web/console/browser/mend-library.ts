/**
 * Gives controls of the library the names and states that it forgets and that screen readers need.
 * What axe finds besides is listed in the tests of the console.
 */
export function mendLibrary(place: HTMLElement): void {
  mend(place);
  new MutationObserver(() => mend(place)).observe(place, {
    childList: true,
    subtree: true,
    // Set again when what a button shows is drawn again.
    attributeFilter: ['aria-controls'],
  });
}

function mend(place: HTMLElement): void {
  for (const button of place.querySelectorAll('button.scalar-code-copy:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const button of place.querySelectorAll('button[role="none"]')) {
    button.removeAttribute('role');
  }
  for (const button of place.querySelectorAll('button.show-more[aria-label]')) {
    // Who speaks to the page says what is to be seen on the button.
    const [label, seen] = [button.getAttribute('aria-label') ?? '', button.textContent.trim()];
    if (!label.startsWith(seen)) button.setAttribute('aria-label', `${seen}: ${label}`);
  }
  for (const button of place.querySelectorAll(
    'button[class~="group/copy-button"][aria-controls]',
  )) {
    // What it names is there only while the mouse is over the button.
    button.removeAttribute('aria-controls');
  }
  for (const text of place.querySelectorAll('.cm-content:not([aria-label])')) {
    text.setAttribute('aria-label', 'Body');
  }
  for (const scroller of place.querySelectorAll('.cm-scroller[tabindex="-1"]')) {
    scroller.setAttribute('tabindex', '0');
  }
  for (const field of place.querySelectorAll('.code-input-lite__editor')) {
    if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', 'Value');
    // A combobox says whether its list is open. The library opens none here before something is typed.
    if (!field.hasAttribute('aria-expanded')) field.setAttribute('aria-expanded', 'false');
  }
}
