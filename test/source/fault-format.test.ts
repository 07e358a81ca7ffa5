/** The report of faults that people read. */
import { describe, expect, it } from 'vitest';
import { FaultReport, formatFaults } from '../../scripts/source/fault-report.ts';
import { ndjson, validate } from '../support/faulty-sources.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

async function reportOf(source: string): Promise<string> {
  const report = new FaultReport(false);
  for (const fault of (await validate(source)).faults) report.add([fault]);
  return formatFaults(report);
}

describe('a fault report', () => {
  it('shows the first faults of a kind and counts the others', async () => {
    const stores = [1, 2, 3, 4, 5].map((number) => buildStore(number, { 'profile.name': 7 }));
    const lines = (await reportOf(ndjson(stores))).split('\n');
    expect(lines[0]).toBe('wrong_type  profile.name (5): a value of another type');
    expect(lines.filter((line) => line.startsWith('  line '))).toHaveLength(3);
    expect(lines.at(-1)).toBe('  … and 2 more; --json shows all');
  });

  it('lets no control character of an export reach the terminal', async () => {
    const stores = [
      buildStore(1, { id: '\u001b[2J', 'profile.\u009b31m': 'x', 'profile.name': null }),
      buildStore(2, { slug: '\u009b2J' }),
    ];
    const text = await reportOf(`${ndjson(stores)}\n{ \u001b[2J\u0007 }`);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(text).toContain('line 1, store \\u001b[2J\n');
    expect(text).toContain('unknown_key  profile.\\u009b31m (1)');
    expect(text).toContain('{ \\u001b[2J\\u0007 }');
  });

  it('counts by kind and field, whatever the number, and says which element of an array is faulty', async () => {
    const urls = ['javascript:1', 'https://img.example', 'javascript:2'];
    const stores = [
      buildStore(1, { 'branding.banners.urls': urls, 'branding.logoURL': 'javascript:1' }),
      buildStore(2, { 'branding.banners.urls': urls, 'profile.name': 7 }),
    ];
    const text = await reportOf(JSON.stringify(stores));
    const titles = text.split('\n').filter((line) => /^\w/.test(line));
    expect(titles).toEqual([
      'bad_format  branding.banners.urls.* (4): a text of another form',
      'bad_format  branding.logoURL (1): a text of another form',
      'wrong_type  profile.name (1): a value of another type',
    ]);
    expect(text).toContain(`  line 1, element 2, store ${storeId(2)}  branding.banners.urls.0\n`);
  });

  it('names no more groups than people read, and counts the others', async () => {
    const keys = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`key${number}`, 1]));
    const text = await reportOf(ndjson([buildStore(1, keys), buildStore(2, { key59: 1 })]));
    expect(text.startsWith('unknown_key  key59 (2)')).toBe(true);
    expect(text.endsWith('\n\n… and 10 faults in 10 more places; --json shows all')).toBe(true);
  });

  it('tells no more fields apart than it has memory for, and keeps every fault', async () => {
    const report = new FaultReport(true);
    const keys = 30_000;
    for (let number = 0; number < keys; number++) {
      const path = `profile.key${number}`;
      const message = 'expected no such key';
      const place = { line: number, element: null, store: null };
      report.add([{ kind: 'unknown_key', ...place, path, value: 'ü'.repeat(20), message }]);
    }
    expect(report.groups).toHaveLength(1_001);
    expect(report.groups[0]).toMatchObject({ path: '…', count: keys - 1_000 });
    let line = 0;
    for await (const fault of report.faults ?? []) {
      expect(fault.line === line && fault.path === `profile.key${line}`).toBe(true);
      line++;
    }
    expect(line).toBe(keys);
  });
});
