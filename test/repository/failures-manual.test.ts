/** docs/failures.md is what the table of failures says. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVENTS, failuresPage, WRITE_COMMAND } from '../load/faults/failures-page.ts';
import { FAULTS, ROWS, TARGETS } from '../load/faults/fault-table.ts';

const PAGE = fileURLToPath(new URL('../../docs/failures.md', import.meta.url));

describe('the manual of failures', () => {
  it('is up to date', async () => {
    if (process.env.WRITE_FAILURES) await writeFile(PAGE, failuresPage());
    const written = await readFile(PAGE, 'utf8').catch(() => '');
    expect(written, `docs/failures.md is stale: ${WRITE_COMMAND}`).toBe(failuresPage());
  });

  it('explains every event, and no other', () => {
    const logged = ROWS.flatMap(({ fresh, warm }) => [...fresh.logs, ...warm.logs]);
    expect(Object.keys(EVENTS).toSorted()).toEqual([...new Set(logged)].toSorted());
  });
});

describe('the table of failures', () => {
  it('has every fault and every target', () => {
    const faults = new Set(ROWS.flatMap((row) => row.faults));
    expect([...faults].toSorted()).toEqual(Object.keys(FAULTS).toSorted());
    const targets = new Set(ROWS.map((row) => row.target));
    expect([...targets].toSorted()).toEqual(Object.keys(TARGETS).toSorted());
  });
});
