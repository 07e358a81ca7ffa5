/** What a process has cost so far, as Linux counts it; null on systems without /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const NANOSECONDS = 1e9;

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
