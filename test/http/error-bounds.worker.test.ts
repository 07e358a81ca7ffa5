/** However much is wrong with a request, its answer stays short, quick to make, and harmless. */
import { describe, expect, it, vi } from 'vitest';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { issueToken, LIST, limiter, openStage } from '../support/worker/harness.ts';
import { codesOf, faultsOf, parseListQuery, problemOf } from '../support/worker/query-faults.ts';

/** No answer that is an error is longer than this. */
const MAX_BYTES = 64 * 1024;

const many = (count: number, text: (index: number) => string, between = '&'): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);
const items = (count: number, text: (index: number) => string) => many(count, text, ',');

const filled = (unit: (index: number) => string): string => {
  let text = '';
  for (let index = 0; text.length < 16_000; index++) text += unit(index);
  return text.slice(0, 16_000);
};

/** Every second letter in the place of its neighbour: as like many fields as can be, and none. */
const swapped = FIELD_PATHS.toSorted((a, b) => b.length - a.length)
  .slice(0, 20)
  .map((path) => path.replaceAll('.', '').replace(/(.)(.)/g, '$2$1'))
  .join();

const ALL_NAMES = Object.keys(LIST_QUERY.shape);
const LOUD = '%01';
const WIDE = '%F0%9F%98%80';

/** The queries that cost most of those that were tried. */
const COSTLY: readonly (readonly [what: string, query: string])[] = [
  ['%&%&…', filled(() => '%&')],
  ['what is malformed', filled((index) => `%${index.toString(36)}&fields=%${index.toString(36)}&`)],
  ['one name again and again', filled(() => 'a&')],
  ['one name', 'x'.repeat(16_000)],
  ['names that almost are', filled((index) => `position.latitud${index.toString(36)}&`)],
  ['every parameter', filled((index) => `${ALL_NAMES[index % ALL_NAMES.length]}=${index}x&`)],
  ...['fields', 'sort', 'verticale.in', 'id.in'].map(
    (name) => [name, `${name}=${filled((index) => `${index.toString(36)},`)}`] as const,
  ),
  ['fields of few slips', `fields=${filled((index) => `geo.location.point.la${index},`)}`],
  ['fields of many slips', `fields=${swapped}&id.in=${filled((index) => `${index},`)}`],
  ['empty fields', `fields=${','.repeat(16_000)}`],
  ['one deep field', `fields=geo${'.location'.repeat(1_700)}`],
  [
    'every parameter, some of them full',
    ALL_NAMES.map((name) => {
      const isFull = ['sort', 'fields', 'verticale.in', 'verticale.notIn'].includes(name);
      return `${name}=${isFull ? items(60, (index) => `${index}x`) : `1${LOUD.repeat(60)}`}`;
    }).join('&'),
  ],
  ...[LOUD, WIDE].map(
    (character) =>
      [
        `every parameter, and ${character}`,
        ALL_NAMES.map((name) => many(20, (index) => `${name}=${index}${character.repeat(60)}`))
          .concat(many(30, (index) => `${index}${'%3C'.repeat(60)}=1`))
          .join('&'),
      ] as const,
  ),
];

/** About 4 ms. */
const MAX_COMPARISONS = 500_000;

/** What is done while `act` runs. */
function workOn(act: () => unknown) {
  const decode = vi.spyOn(globalThis, 'decodeURIComponent');
  const smallest = Math.min;
  let comparisons = 0;
  // Words are compared by taking the smaller of numbers, so often that a mock could not hold it.
  Math.min = (...numbers) => {
    comparisons++;
    return smallest(...numbers);
  };
  try {
    act();
    return {
      exceptions: decode.mock.results.filter(({ type }) => type === 'throw').length,
      comparisons,
    };
  } finally {
    Math.min = smallest;
    decode.mockRestore();
  }
}

interface Problem {
  readonly detail: string;
  readonly instance: string;
  readonly errors: { parameter: string; code: string; detail: string }[];
}

/** The body of the 400 that `path` is answered with. */
async function refusal(path: string): Promise<{ text: string; problem: Problem }> {
  const response = await openStage().request(path, { token: await issueToken() });
  expect(response.status).toBe(400);
  const text = await response.text();
  expect(new TextEncoder().encode(text).byteLength).toBeLessThan(MAX_BYTES);
  return { text, problem: JSON.parse(text) };
}

describe('the faults of one parameter', () => {
  const out = (count: number) => Array.from({ length: count }, () => 'out_of_range limit');

  it.each([300, 21, 20])('are shown up to 20, the others of %i counted', (count) => {
    const { message, errors } = problemOf(() =>
      parseListQuery(`sort=${items(count, (index) => `x${index}`)}`),
    );
    expect(message).toBe(`${count} faults, see errors.`);
    expect(errors[19]?.detail).toContain('"x19"');
    const detail = `${count - 20} more not shown.`;
    const more = { parameter: 'sort', code: 'more_faults', detail };
    expect(errors.slice(20)).toEqual(count === 20 ? [] : [more]);
  });

  it('of a value sent a few times are those of each value, too', () => {
    const sent = (count: number) => codesOf(many(count, (index) => `limit=${101 + index}`));
    expect(sent(2)).toEqual(['duplicate_parameter limit', ...out(2)]);
    expect(sent(20)).toEqual(['duplicate_parameter limit', ...out(19), 'more_faults limit']);
    expect(sent(21)).toEqual(['duplicate_parameter limit']);
  });

  it('leave room for those of the others, and unknown parameters count as one', () => {
    const bad = items(300, (index) => `x${index}`);
    const query = `sort=${bad}&fields=${bad}&verticale.notIn=${bad}&limit=x&${many(50, (i) => `u${i}`)}`;
    const { errors, message } = problemOf(() => parseListQuery(query));
    const counts = Map.groupBy(errors, ({ parameter }) =>
      parameter.startsWith('u') ? 'unknown' : parameter,
    );
    expect(Object.fromEntries([...counts].map(([name, { length }]) => [name, length]))).toEqual({
      unknown: 20,
      '?': 1,
      sort: 21,
      fields: 21,
      'verticale.notIn': 21,
      limit: 1,
    });
    expect(message).toBe('951 faults, see errors.');
    const detail = '30 more not shown.';
    expect(errors).toContainEqual({ parameter: '?', code: 'more_faults', detail });
  });
});

const ids = (count: number) => items(count, (index) => String(index).padStart(24, '0'));

it.each([
  ['fields', 300],
  ['country.in', 300],
  ['id.in', 100],
])('the array %s takes %i items, counted before they are read', (name, most) => {
  const detail = `Takes at most ${most} items, got ${most + 1}.`;
  const fault = { parameter: name, code: 'too_many', detail };
  expect(faultsOf(`${name}=${ids(most + 1)}`)).toEqual([fault]);
  const accepted = `${name}=${ids(most)},${ids(1)}`;
  if (name === 'fields') expect(codesOf(accepted)[20]).toBe('more_faults fields');
  else expect(parseListQuery(accepted).conditions).toHaveLength(1);
});

describe('names and values', () => {
  const quoted = (query: string) => faultsOf(query)[0];

  it('are quoted to 60 characters, and never cut within one', () => {
    const most = `${'x'.repeat(59)}😀`;
    const more = encodeURIComponent(`${most}😀`);
    expect(quoted(`lang=${encodeURIComponent(most)}`)?.detail).toContain(`"${'x'.repeat(59)}…"`);
    expect(quoted(`lang=${'x'.repeat(60)}`)?.detail).toContain(`"${'x'.repeat(60)}"`);
    expect(quoted(`lang=${more}`)?.detail).toContain(`"${'x'.repeat(59)}…"`);
    expect(quoted(`${'x'.repeat(60)}=1`)?.parameter).toBe('x'.repeat(60));
    expect(quoted(`${'x'.repeat(10_000)}=1`)?.parameter).toBe(`${'x'.repeat(60)}…`);
  });

  it('are cut without giving a token away', () => {
    const secret = 'S'.repeat(100);
    for (let length = 0; length < 60; length++) {
      const [fault] = faultsOf(`lang=${'x'.repeat(length)}sk_test_${secret}`);
      expect(fault?.detail).not.toContain('S');
    }
  });
});

describe('a query of more than 16,000 bytes', () => {
  const query = (length: number) => `?lang=${'x'.repeat(length - 'lang='.length)}`;

  it.each([LIST, `${LIST}/store-1`, '/v2/external/changes'])('is not read by %s', async (path) => {
    const stage = openStage();
    const token = await issueToken();
    const answer = await stage.request(path + query(16_001), { token });
    expect(answer.status).toBe(414);
    expect(await answer.json()).toMatchObject({ code: 'query_too_long', instance: path });
    expect((await stage.request(path + query(16_000), { token })).status).toBe(400);
    const over = openStage({ RATE_LIMITER: limiter(false) });
    expect((await over.request(path + query(16_001), { token })).status).toBe(429);
    expect((await stage.request(path + query(16_001))).status).toBe(401);
  });
});

describe('an error answer', () => {
  it.each(COSTLY)('to %s is made with little work, and stays under 64 kB', async (_, text) => {
    const work = workOn(() => problemOf(() => parseListQuery(text)));
    // An exception costs as much as reading a hundred characters.
    expect(work.exceptions).toBe(0);
    expect(work.comparisons).toBeLessThanOrEqual(MAX_COMPARISONS);
    const query = text.slice(0, 16_000);
    await refusal(`${LIST}?${query}`);
    await refusal(`${LIST}/store-1?${query}`);
  });

  it.each([404, 405])('of status %i names no more than the beginning of a path', async (status) => {
    for (const piece of ['a', '&', '%E2%82%AC', 'x%2']) {
      const path = `${LIST}/${piece.repeat(5_000)}${status === 404 ? '/x' : ''}`;
      const method = status === 404 ? 'GET' : 'POST';
      const response = await openStage().request(path, { method });
      expect(response.status).toBe(status);
      const { instance } = await response.json<Problem>();
      expect(instance.length).toBeGreaterThan(1_020);
      expect(instance.length).toBeLessThanOrEqual(1_024);
      expect(path.startsWith(instance)).toBe(true);
      expect(instance).not.toMatch(/%[0-9A-F]?$/);
    }
  });

  it('holds nothing that could be taken for HTML', async () => {
    const markup = '<script>a&b</script>';
    const { text, problem } = await refusal(
      `${LIST}?${encodeURIComponent(markup)}=1&lang=${encodeURIComponent(markup)}`,
    );
    expect(text).not.toMatch(/[<>&]/);
    expect(text).toContain('"\\u003cscript\\u003ea\\u0026b\\u003c/script\\u003e"');
    expect(problem.errors[0]?.parameter).toBe(markup);
    expect(problem.errors[1]?.detail).toContain(`got "${markup}"`);
    const elsewhere = await openStage().request("/a&b'<c>");
    expect(await elsewhere.text()).toContain('"instance":"/a\\u0026b');
  });
});
