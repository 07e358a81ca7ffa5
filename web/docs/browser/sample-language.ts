/** The language chosen for one sample is shown in all of them. */
export function shareSampleLanguage(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('.samples input')) return;
    // What is above the samples that were clicked changes its height: they stay where they are.
    const before = target.getBoundingClientRect().top;
    for (const input of document.querySelectorAll<HTMLInputElement>('.samples input')) {
      if (input.value === target.value) input.checked = true;
    }
    window.scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
