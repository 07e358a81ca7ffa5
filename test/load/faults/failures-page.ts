/** Writes the manual of failures, `docs/failures.md`, from the table. */
import {
  type Answer,
  FAULTS,
  type Fault,
  REQUESTS,
  ROWS,
  type Row,
  type Seen,
  TARGETS,
  type Target,
} from './fault-table.ts';

/** The command that writes the page anew. */
export const WRITE_COMMAND =
  'WRITE_FAILURES=1 npx vitest run --project node test/repository/failures-manual.test.ts';

const ANSWERS: Readonly<Record<Answer, string>> = {
  live: '200, the live release',
  before: '200, the release before',
  storage_unreachable: '503 `storage_unreachable`',
  snapshot_missing: '503 `snapshot_missing`',
  run_overdue: '503 `run_overdue`',
  token_unknown: '401 `token_unknown`',
  release_gone: '410 `release_gone`',
};

/** What the log events mean. The test of the page has a row of the table for each. */
export const EVENTS: Readonly<Record<string, string>> = {
  refresh_failed:
    'A look at the pointer, or the taking up of a new release behind an answer, failed. The isolate goes on with what it has, and looks again in half a minute.',
  release_unreadable:
    'A request could not be answered from the live release. The release before answers if it can.',
  storage_unreachable: 'A request ended in a 503, because what it needed could not be read.',
  snapshot_missing: 'A request ended in a 503, because there is no pointer.',
  token_read_failed:
    'KV did not give a newer record of a token in time; the one in memory serves on, for ten minutes at most.',
  token_record_damaged:
    'What KV has of a token is damaged, or of another version. The token is refused.',
  last_run_unreadable: 'When publishing last ran could not be read. `/healthz` says `ranAt: null`.',
  snapshot_cache_unreadable: 'The cache in front of R2 failed, or had a value of the wrong length.',
  snapshot_cache_slow: 'The cache in front of R2 did not answer within 200 ms.',
  rate_limiter_failed: 'The rate limiter failed, and the request passed.',
  guess_limiter_failed:
    'The limiter of guesses failed, and a look-up that found no record was not counted.',
};

const HEADER = `# When storage fails

<!-- Written from test/load/faults/fault-table.ts, whose every row a test makes happen. Do not edit.
     ${WRITE_COMMAND} -->

What partners get while storage fails, what the log says, and when it is well again by itself. The
rules behind it:

- **What is in memory serves on.** An isolate that has a release answers from it for as long as it
  takes, whatever becomes of storage.
- **Nothing is served that is not whole.** Every object is checked by its length and hash, every document
  by its sum, before it is used. What is damaged is asked for once more, past the caches, and then
  counts as unreadable; the log says what it is, under which key, what was got and what was expected.
- **The release before is there to fall back on.** The pointer names it, so that a fresh isolate has it
  too. Every answer is of one release, which \`x-snapshot-release\` names.
- **No request waits longer than five seconds** for storage. A 503 says in \`Retry-After\` when to come again.
- **Nothing fails open,** but for three things: while a rate limiter fails it limits no caller; a token
  whose record is in memory works for ten minutes while KV fails; and a token that was replaced works on
  while KV says that there is no rotation of it. A revocation is seen within two minutes while KV answers.

A *fresh* isolate has nothing in memory when the failure begins. A *warm* one has answered the same
request before and is due to look at what fails: a new release went live half a minute ago, or a
token's record is a minute old. So "the release before" is what a warm isolate has in memory.

*Well again* counts from when storage is, in seconds within which the live release answers; "at once" is
the next request. A dash: answers are as they should be while the failure lasts. Isolates and the log are those
of production, and every row is the same over KV and over R2.
`;

/** The whole page. */
export function failuresPage(): string {
  const targets = (Object.keys(TARGETS) as Target[]).filter((target) =>
    ROWS.some((row) => row.target === target),
  );
  return [HEADER, ...targets.map(sectionOf), eventsTable()].join('\n');
}

function sectionOf(target: Target): string {
  const rows = ROWS.filter((row) => row.target === target);
  const lines = [
    `## ${TARGETS[target]}`,
    '',
    '| What happens | Isolate | Partners get | In the log | Well again |',
    '|---|---|---|---|---|',
    ...rows.flatMap(linesOf),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf(row: Row): string[] {
  const what = [faultText(row), ...(row.note ? [row.note] : [])].join(' ');
  if (JSON.stringify(row.fresh) === JSON.stringify(row.warm)) {
    return [`| ${what} | any | ${seenText(row.fresh)} |`];
  }
  return [`| ${what} | fresh | ${seenText(row.fresh)} |`, `| | warm | ${seenText(row.warm)} |`];
}

function faultText({ faults, request }: Row): string {
  const texts = faults.map((fault: Fault) => FAULTS[fault]);
  const last = texts.at(-1) as string;
  const list = texts.length > 1 ? `${texts.slice(0, -1).join(', ')} or ${last}` : last;
  const asked = request === 'list' ? '' : ` (${REQUESTS[request]})`;
  return `**${list.charAt(0).toUpperCase()}${list.slice(1)}**${asked}.`;
}

function seenText({ answers, waits, logs, heals }: Seen): string {
  const texts = answers.map((answer) => ANSWERS[answer]).join('; then ');
  const wait = waits > 0 ? `, after up to ${waits} s` : '';
  const events = logs.map((event) => `\`${event}\``).join(', ') || '–';
  const healing = heals === null ? '–' : heals === 0 ? 'at once' : `${heals} s`;
  return `${texts}${wait} | ${events} | ${healing}`;
}

function eventsTable(): string {
  const rows = Object.entries(EVENTS).map(([event, meaning]) => `| \`${event}\` | ${meaning} |`);
  return [
    '## What the log events mean',
    '',
    'The `error` of the line has the whole chain of causes. `requestId` is null where the work went on',
    'behind an answer, and for faults of token records and of the cache in front of R2, which several',
    'requests may share.',
    '',
    '| Event | Meaning |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}
