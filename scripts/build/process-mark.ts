/** Marks by which a process knows whose leavings it finds, and whether their owner still runs. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessMark {
  /** Of the machine since it was started, 12 hexadecimal digits; of the container, if it is one. */
  readonly machine: string;
  readonly pid: number;
}

export function ownMark(): ProcessMark {
  // Containers may share a name and count processes from 1 each.
  const parts = [
    hostname(),
    orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  ];
  const machine = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
  return { machine, pid: process.pid };
}

/** Whether a process has certainly ended: it ran on this machine and is not there any more. */
export function isGone({ machine, pid }: ProcessMark): boolean {
  if (machine !== ownMark().machine) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** What only some systems tell. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
