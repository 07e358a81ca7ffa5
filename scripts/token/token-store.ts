/**
 * Where token records are kept, as far as the token commands need to know: they are the same
 * whether the records lie in local storage or behind Cloudflare's API.
 */
export interface TokenStore {
  /** Hashes (64 hexadecimal digits) of the tokens whose hash begins with `start`, in order. */
  hashes(start: string): Promise<string[]>;
  /** The stored record as text, or null when there is none. */
  read(hash: string): Promise<string | null>;
  write(hash: string, record: string): Promise<void>;
  delete(hash: string): Promise<void>;
}
