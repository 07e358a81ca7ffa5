/** What a process has cost so far, as Linux counts it; null on systems without /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1e9;
const KIBIBYTE = 1024;

/** Seconds of CPU of all threads. The scheduler counts nanoseconds, `stat` only hundredths. */
export function cpuSeconds(pid: number): number | null {
  const tasks = `/proc/${pid}/task`;
  try {
    let nanoseconds = 0;
    for (const task of readdirSync(tasks)) {
      const [spent] = readFileSync(`${tasks}/${task}/schedstat`, 'latin1').split(' ');
      nanoseconds += Number(spent);
    }
    return nanoseconds / NANOSECONDS;
  } catch {
    return null;
  }
}

/** Bytes of memory that the process holds (resident set). */
export function residentBytes(pid: number): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return kibibytes === undefined ? null : Number(kibibytes) * KIBIBYTE;
  } catch {
    return null;
  }
}
