/** Keeps the focus near: a button that goes away with its press hands it to what it stood in. */
addEventListener('click', keep, { capture: true });

function keep({ target }: Event): void {
  const pressed = target as Element;
  const around = pressed.closest<HTMLElement>('[tabindex="-1"]');
  // Once the press has been answered.
  setTimeout(() => {
    const isLost = !pressed.isConnected && document.activeElement === document.body;
    if (isLost) around?.focus({ preventScroll: true });
  });
}
