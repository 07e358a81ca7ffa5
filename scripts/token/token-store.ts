/**
 * Where tokens are kept, as far as the token commands need to know: they are the same whether the
 * keys lie in local storage or behind Cloudflare's API.
 */

/** A key, and what was put beside its value. */
export interface ListedKey {
  readonly key: string;
  /** Whatever it is: other tools put nothing there. */
  readonly metadata: unknown;
}

export interface TokenStore {
  /** Every key that begins with `prefix`, in order: 1,000 a request. */
  list(prefix: string): Promise<ListedKey[]>;
  /** The text under `key`, or null when there is none. */
  read(key: string): Promise<string | null>;
  /** @param metadata what lists show without reading the value; at most 1,024 bytes as JSON */
  write(key: string, text: string, metadata: object): Promise<void>;
  delete(key: string): Promise<void>;
}
