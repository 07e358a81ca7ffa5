/** The report of faults that people read. */
import { describe, expect, it } from 'vitest';
import { FaultReport } from '../../scripts/source/fault-report.ts';
import { formatFaults, SHOWN_EACH_KIND } from '../../scripts/source/format-faults.ts';
import { ndjson, storeWith, validate } from './faulty-sources.ts';

const plain = (_format: unknown, text: string) => text;

async function reportOf(source: string): Promise<string> {
  const report = new FaultReport(SHOWN_EACH_KIND);
  for (const fault of (await validate(source)).faults) report.add([fault]);
  return formatFaults(report, plain);
}

describe('a fault report', () => {
  it('shows the first faults of a kind and counts the others', async () => {
    const stores = [1, 2, 3, 4, 5].map((number) => storeWith(number, { 'profile.name': 7 }));
    const lines = (await reportOf(ndjson(stores))).split('\n');
    expect(lines[0]).toBe('wrong_type (5): a value of another type');
    expect(lines.filter((line) => line.startsWith('  line '))).toHaveLength(3);
    expect(lines.at(-1)).toBe('  … and 2 more; --json shows all');
  });

  it('lets no control character of an export reach the terminal', async () => {
    const stores = [
      storeWith(1, { id: '\u001b[2J', 'profile.\u009b31m': 'x', 'profile.name': null }),
      storeWith(2, { slug: '\u009b2J' }),
    ];
    const text = await reportOf(`${ndjson(stores)}\n{ \u001b[2J\u0007 }`);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text).toContain('store \\u001b[2J  profile.\\u009b31m');
    expect(text).toContain('{ \\u001b[2J\\u0007 }');
  });
});
