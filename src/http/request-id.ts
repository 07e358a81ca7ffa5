/** The id by which a request is found again in logs. */
import { markerOf } from '../auth/token.ts';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id if it sent a sane one, else a new one. A token is no sane id: ids are logged. */
export function requestIdOf(headers: Headers): string {
  const own = headers.get('x-request-id');
  return own !== null && SANE.test(own) && markerOf(own) === null ? own : crypto.randomUUID();
}
