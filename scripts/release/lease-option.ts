/** `--break-lease`, as commands have it that a killed process may stand in the way of. */
import { InvalidArgumentError, Option } from 'commander';

export interface LeaseChoice {
  readonly breakLease?: string;
}

export function breakLeaseOption(): Option {
  return new Option(
    '--break-lease <id>',
    'go on although this lease stands: its process was killed, on another machine',
  ).argParser(readLeaseId);
}

/** A random UUID as leases have it, or its first digits. */
function readLeaseId(text: string): string {
  const id = text.toLowerCase();
  if (/^[0-9a-f]{8}[0-9a-f-]{0,28}$/.test(id)) return id;
  throw new InvalidArgumentError('Expected the 8 digits that the refusal names.');
}
