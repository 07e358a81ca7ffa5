/** docs/alerts.md has every event of the Worker, every code of the commands, and the table of failures. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAMAGE_ADVICE } from '../../scripts/build/release-reader.ts';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { PROBLEMS, type ProblemCode, ProblemError } from '../../src/model/problem.ts';
import { withFailureTable } from '../load/faults/failures-page.ts';
import { FAULTS, ROWS } from '../load/faults/fault-table.ts';
import { sourcesBelow } from './support/sources.ts';

const FILE = join(PROJECT_FOLDER, 'docs/alerts.md');
const WRITE_COMMAND =
  'WRITE_FAILURES=1 npx vitest run --project node test/repository/alerts-page.test.ts';
if (process.env.WRITE_FAILURES) {
  writeFileSync(FILE, withFailureTable(readFileSync(FILE, 'utf8')));
}

const PAGE = readFileSync(FILE, 'utf8');

/** Codes of commands that a developer runs, and that no job meets. */
const AT_A_DESK = ['client_types', 'port_taken', 'storage_unwritable', 'store_unknown'];

/** Words that are codes of something else than an error of a command. */
const OTHER_CODES = ['custom', 'invalid_union'];

const textBelow = (folder: string) =>
  sourcesBelow(folder)
    .map(({ text }) => text)
    .join('\n');

/** Faults that the Worker logs: those that it names itself, and problems that are its own fault. */
function faultEvents(): string[] {
  const source = textBelow('src');
  const calls = [...source.matchAll(/(?<!function )\b(?:report|logFault)\(\s*([^,]+),/g)];
  const limits = [...source.matchAll(/(?<!function )\bisWithinLimit\([^']*('[^']+')/g)];
  const named = [...calls, ...limits].map(([, event = '']) => event.replaceAll("'", ''));
  // Problems are logged by their codes, and what a limiter could not do by the event that its caller names.
  const literal = named.filter((event) => event !== 'code' && event !== 'failed');
  expect(literal.filter((event) => !/^[a-z_]+$/.test(event))).toEqual([]);
  expect(literal.length).toBeGreaterThan(8);
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const faults = codes.filter((code) => new ProblemError(code, '').isFault);
  return [...new Set([...literal, ...faults])].sort();
}

/** What makes errors of commands, as it is written. */
function errorsIn(source: string): string[] {
  const starts = [...source.matchAll(/(?:new (?:Command|Usage)Error|super)\(/g)];
  return starts.map(({ index }) => source.slice(index, source.indexOf(');', index) + 1));
}

/** The codes among the arguments of such a call: words that stand alone. */
const codesIn = (call: string) =>
  [...call.matchAll(/(?<=[,?:]\s+)'([a-z_]+)'(?=[\s,)])/g)].map(([, code = '']) => code);

/** The text of a section. */
const sectionOf = (title: string) => PAGE.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

/** The codes in the first cells of a section's tables. */
const rowsOf = (section: string) =>
  [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code),
  );

describe('docs/alerts.md', () => {
  it('has each fault that the Worker logs, and no other', () => {
    const [first = '', ...sections] = sectionOf('Faults').split(/^### /m);
    const events = sections.map((text) => /^`([a-z_]+)`$/m.exec(text)?.[1]);
    for (const told of [events, rowsOf(first)]) expect(told.sort()).toEqual(faultEvents());
  });

  it('has each code that a job can end with', () => {
    const source = textBelow('scripts');
    const members = [...source.matchAll(/\bcode(?:: | = | \?\? )'([a-z_]+)'|'(api_[a-z_]+)'/g)];
    const codes = [
      ...members.map(([, code, api]) => code ?? api ?? ''),
      ...errorsIn(source).flatMap(codesIn),
      ...Object.keys(DAMAGE_ADVICE),
    ];
    const known = [...new Set(codes)].filter((code) => !OTHER_CODES.includes(code));
    expect([...rowsOf(sectionOf('Jobs')), ...AT_A_DESK].sort()).toEqual(known.sort());
  });

  it('has the table of failures as they happen in tests', () => {
    expect(PAGE, `docs/alerts.md is stale: ${WRITE_COMMAND}`).toBe(withFailureTable(PAGE));
    const logged = ROWS.flatMap(({ fresh, warm }) => [...fresh.logs, ...warm.logs]);
    expect(faultEvents()).toEqual(expect.arrayContaining(logged));
    const tried = new Set(ROWS.flatMap(({ faults }) => faults));
    expect([...tried].sort()).toEqual(Object.keys(FAULTS).sort());
  });
});

describe.each(['docs/alerts.md', 'SECURITY.md'])('%s', (page) => {
  it('leads to sections that are there', () => {
    const read = (file: string) => readFileSync(join(PROJECT_FOLDER, file), 'utf8');
    const links = [...read(page).matchAll(/\]\(([\w/.-]*)#([\w-]+)\)/g)];
    expect(links.length).toBeGreaterThan(2);
    for (const [, file = '', anchor = ''] of links) {
      const text = read(file === '' ? page : join(dirname(page), file));
      const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      );
      expect([file, anchors]).toEqual([file, expect.arrayContaining([anchor])]);
    }
  });
});
