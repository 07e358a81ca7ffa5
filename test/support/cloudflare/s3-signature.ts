/**
 * Reckons the signature of a request over S3's API by itself, to check what the library signs: AWS
 * Signature Version 4, the headers signed being all of the request's own.
 */
import { createHash, createHmac } from 'node:crypto';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface SignableRequest {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names; `host` and what signing needs are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface SigningScope {
  readonly region: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The headers to send, the signature among them; `host` is left to the sender. */
export function signRequest(
  { method, url, headers, body }: SignableRequest,
  { accessKeyId, secretAccessKey }: S3Credentials,
  { region, now }: SigningScope,
): Record<string, string> {
  // 20261122T010203Z
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const contentHash = hash(body ?? '');
  const sent = { ...headers, 'x-amz-content-sha256': contentHash, 'x-amz-date': time };
  const signed = Object.entries({ ...sent, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    contentHash,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash(canonical)].join('\n');
  const signature = mac(signingKey(secretAccessKey, scope), text).toString('hex');
  const credential = `${accessKeyId}/${scope.join('/')}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...sent, authorization };
}

/** The last key that signed, and what it was derived from. */
let derived: { readonly from: string; readonly key: Buffer | string } | undefined;

/** Derives a key from a secret, a day and a region: most of the work of a signature. */
function signingKey(secret: string, scope: readonly string[]): Buffer | string {
  const from = [secret, ...scope].join('\n');
  if (derived?.from === from) return derived.key;
  const key = scope.reduce<Buffer | string>((last, part) => mac(last, part), `AWS4${secret}`);
  derived = { from, key };
  return key;
}

/** A text as S3 wants it in paths and queries: everything but letters, digits and `-._~` encoded. */
export function encodeS3(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalQuery(query: URLSearchParams): string {
  const pairs = [...query].map(([name, value]) => `${encodeS3(name)}=${encodeS3(value)}`);
  return pairs.sort().join('&');
}

function hash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function mac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
