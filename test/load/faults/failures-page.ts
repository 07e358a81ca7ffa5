/** Writes the table of failures at the end of `docs/alerts.md`. */
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

const GOOD_ANSWERS = { live: 'live', before: 'before' };

const ANSWERS: Readonly<Record<Answer, string>> = {
  ...GOOD_ANSWERS,
  storage_unreachable: '503',
  snapshot_missing: '503 `snapshot_missing`',
  run_overdue: '503 `run_overdue`',
  token_unknown: '401',
  release_gone: '410',
};

const HEAD = `| What happens | Isolate | Partners get | In the log | Well again |
|---|---|---|---|---|
`;

/** `page` with the table in it, which is its end. */
export function withFailureTable(page: string): string {
  const targets = [...new Set(ROWS.filter(isNoticed).map(({ target }) => target))];
  return `${page.slice(0, page.indexOf(HEAD))}${HEAD}${targets.map(rowsOf).join('')}`;
}

/** Whether partners get another answer than they should, or the log tells. */
function isNoticed({ fresh, warm }: Row): boolean {
  return [fresh, warm].some(
    ({ answers, logs }) => logs.length > 0 || answers.some((answer) => !(answer in GOOD_ANSWERS)),
  );
}

function rowsOf(target: Target): string {
  const rows = ROWS.filter((row) => row.target === target && isNoticed(row));
  return [`| **${TARGETS[target]}** | | | | |`, ...rows.flatMap(linesOf), ''].join('\n');
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
  return `${list.charAt(0).toUpperCase()}${list.slice(1)}${asked}.`;
}

function seenText({ answers, waits, logs, heals }: Seen): string {
  const texts = answers.map((answer) => ANSWERS[answer]).join('; then ');
  const wait = waits > 0 ? `, after up to ${waits} s` : '';
  const events = logs.map((event) => `\`${event}\``).join(', ') || '–';
  const healing = heals === null ? '–' : heals === 0 ? 'at once' : `${heals} s`;
  return `${texts}${wait} | ${events} | ${healing}`;
}
