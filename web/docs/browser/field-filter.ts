/** Finds fields of a store by words of their path, type, values and meaning. */

interface Row {
  readonly element: HTMLTableRowElement;
  readonly text: string;
  readonly isOld: boolean;
}

export function followFilter(): void {
  const form = document.querySelector<HTMLFormElement>('form.filter');
  const box = form?.querySelector<HTMLInputElement>('#filter');
  const current = form?.querySelector<HTMLInputElement>('#current');
  const found = form?.querySelector('output');
  if (!form || !box || !current || !found) return;
  const rows = readRows();
  const show = () => {
    const count = showMatches(rows, box.value, current.checked);
    found.textContent = count === 1 ? '1 field' : `${count} fields`;
  };
  form.hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  window.addEventListener('hashchange', () => {
    // A link to a field that is filtered out shows it.
    if (!rows.some(({ element }) => element.hidden && element.matches(':target'))) return;
    form.reset();
    show();
    document.querySelector(':target')?.scrollIntoView();
  });
  document.addEventListener('keydown', (event) => focusOnSlash(event, box));
  // A browser that goes back to the page keeps what was typed.
  show();
}

function readRows(): readonly Row[] {
  const elements = document.querySelectorAll<HTMLTableRowElement>('#field-table tbody tr');
  return [...elements].map((element) => ({
    element,
    text: (element.textContent ?? '').toLowerCase(),
    isOld: element.classList.contains('old'),
  }));
}

/** Hides the rows that lack a word; returns how many are left. */
function showMatches(rows: readonly Row[], query: string, currentOnly: boolean): number {
  const words = query.toLowerCase().split(/\s+/);
  let count = 0;
  for (const { element, text, isOld } of rows) {
    const isFound = words.every((word) => text.includes(word)) && !(currentOnly && isOld);
    element.hidden = !isFound;
    if (isFound) count += 1;
  }
  return count;
}

function focusOnSlash(event: KeyboardEvent, box: HTMLInputElement): void {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  box.scrollIntoView({ block: 'center' });
  box.focus();
}
