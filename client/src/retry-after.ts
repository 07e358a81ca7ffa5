/**
 * Returns the milliseconds that a `Retry-After` header asks for: seconds, or a date as HTTP writes it today. Null
 * when it is neither, as "5, 5" of a header that was sent twice, of which `Date.parse` makes 2001.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = Date.parse(text);
  const isHttpDate = !Number.isNaN(time) && new Date(time).toUTCString() === text;
  return isHttpDate ? Math.max(0, time - now) : null;
}
