/** The light that the reader has chosen in the manual, which keeps it under this name. */
const KEY = 'starlight-theme';

try {
  document.documentElement.dataset.theme = localStorage.getItem(KEY) ?? '';
} catch {
  // Where the browser keeps nothing for pages, it follows the system.
}
