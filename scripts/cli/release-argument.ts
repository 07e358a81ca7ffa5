/** How commands are told which release is meant. */
import { UsageError } from './command-error.ts';

/**
 * Reads what names a release on the command line: its id, the first digits of that, or its name. In
 * lower case. @throws UsageError
 */
export function parseReleaseId(text: string): string {
  const wanted = text.toLowerCase();
  if (/^([1-9]\d*-)?[0-9a-f]{4,16}$/.test(wanted)) return wanted;
  const form =
    '16 hexadecimal digits, or the first of them (at least 4), or its name (see snapshot list)';
  throw new UsageError(`got "${text}", expected the id of a release: ${form}`);
}
