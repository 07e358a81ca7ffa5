/**
 * The access token of this tab, which all pages share: entered once, kept until the tab is closed. It is
 * never in a file, nor in an address for longer than it takes to read it.
 */
import { withStorage } from './site-storage.ts';

const KEY = 'store-directory-token';

/** Happens on the window when the token was entered or forgotten on this page. */
export const TOKEN_CHANGE = 'token-change';

/** How a field for a token checks what is pasted there; what is around it does not matter. */
export const TOKEN_RULE = {
  pattern: '\\s*[!-~]+\\s*',
  title: 'A token has letters, digits and signs, and no spaces.',
};

/** The token where the browser keeps nothing for pages: it lasts as long as this page. */
let inMemory: string | null = null;

/** Returns the token that was entered in this tab, or null. */
export function keptToken(): string | null {
  return inMemory ?? withStorage('sessionStorage', (storage) => storage.getItem(KEY));
}

/** Keeps a token for all pages of this tab, or forgets it where it is null, and lets all parts of the page know. */
export function changeToken(token: string | null): void {
  const kept = token?.trim() || null;
  inMemory = kept;
  withStorage('sessionStorage', (storage) =>
    kept === null ? storage.removeItem(KEY) : storage.setItem(KEY, kept),
  );
  window.dispatchEvent(new Event(TOKEN_CHANGE));
}

/**
 * Keeps the token of an address that ends in `#token=…`, as `npm start` prints it, and clears it from the
 * address and from the history.
 */
export function takeTokenFromAddress(): void {
  const address = new URL(location.href);
  const parts = new URLSearchParams(address.hash.slice(1));
  const token = parts.get('token');
  if (token === null) return;
  parts.delete('token');
  address.hash = String(parts);
  history.replaceState(history.state, '', address);
  changeToken(token);
}
