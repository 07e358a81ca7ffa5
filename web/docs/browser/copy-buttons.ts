/** A button on each piece of code that copies it. */

/** Milliseconds for which a button says what came of it. */
const SAID = 1_500;

export function addCopyButtons(): void {
  // Browsers offer the clipboard to secure pages alone.
  if (!navigator.clipboard) return;
  for (const code of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(code, button));
    code.append(button);
  }
}

async function copy(code: Element, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed here';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID);
}
