/** However much is wrong with a request, its answer stays short, quick to make, and harmless. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { LIST_PARAMETERS } from '../../src/http/query/list-parameters.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { FaultList } from '../../src/parameters/faults.ts';
import type { Parameter } from '../../src/parameters/parameter.ts';
import { parseGetQuery, parseListQuery } from '../support/parse-query.ts';
import { issueToken, openStage } from '../support/worker/harness.ts';
import { faultsOf, problemOf } from '../support/worker/query-faults.ts';
import { MOST_WORK, WorkCounter } from './support/work-counter.ts';

const LIST = '/v2/external/stores';

/** No answer that is an error is longer than this. */
const MOST_BYTES = 64 * 1024;

const many = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('&');
const items = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(',');

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

/** The queries that cost most of those that were tried. */
const COSTLY: readonly (readonly [what: string, query: string])[] = [
  ['%&%&…', filled(() => '%&')],
  ['malformed names', filled((index) => `%${index.toString(36)}&`)],
  ['malformed values', filled((index) => `fields=%${index.toString(36)}&`)],
  ['one name', filled(() => 'a&')],
  ['names that are no parameters', filled((index) => `${index.toString(36)}&`)],
  ['names that almost are', filled((index) => `position.latitud${index.toString(36)}&`)],
  [
    'every parameter',
    filled((index) => `${LIST_PARAMETERS.names[index % LIST_PARAMETERS.names.length]}=${index}x&`),
  ],
  ...['fields', 'sort', 'verticale.in', 'id.in'].map(
    (name) => [name, `${name}=${filled((index) => `${index.toString(36)},`)}`] as const,
  ),
  ['fields of few slips', `fields=${filled((index) => `geo.location.point.la${index},`)}`],
  ['fields of many slips', `fields=${swapped}&id.in=${filled((index) => `${index},`)}`],
];

/** About 2 ms. */
const MOST_COMPARISONS = 500_000;

/** What is done while `act` runs. */
function workOn(act: () => unknown) {
  const decode = vi.spyOn(globalThis, 'decodeURIComponent');
  const checks = LIST_PARAMETERS.parameters.map((each) => vi.spyOn(each as Parameter, 'check'));
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
      checks: checks.reduce((sum, { mock }) => sum + mock.calls.length, 0),
      comparisons,
    };
  } finally {
    Math.min = smallest;
    vi.restoreAllMocks();
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
  expect(new TextEncoder().encode(text).byteLength).toBeLessThan(MOST_BYTES);
  return { text, problem: JSON.parse(text) };
}

describe('the faults of one parameter', () => {
  it.each([
    ['sort', 'x', 3764, 'faults of this parameter are'],
    ['fields', 'x', 3764, 'faults of this parameter are'],
    ['verticale.in', 'x', 3764, 'faults of this parameter are'],
    ['verticale.in', 'x', 21, 'fault of this parameter is'],
  ])('%s=%s… are shown up to 20, the others counted', (name, value, count, words) => {
    const problem = problemOf(() =>
      parseListQuery(`${name}=${items(count, (index) => value + index)}`),
    );
    expect(problem.message).toBe(`${count} faults, see errors.`);
    expect(problem.errors).toHaveLength(20);
    expect(problem.errors.map(({ detail }) => detail.includes('not shown'))).toEqual(
      problem.errors.map((_, index) => index === 19),
    );
    expect(problem.errors[19]?.detail).toMatch(/"x19"/);
    expect(problem.errors[19]?.detail.endsWith(` ${count - 20} more ${words} not shown.`)).toBe(
      true,
    );
  });

  it('leave room for those of the others', () => {
    const bad = items(1000, (index) => `x${index}`);
    const query = `sort=${bad}&fields=${bad}&verticale.notIn=${bad}&limit=x&${many(50, (i) => `u${i}`)}`;
    const { errors, message } = problemOf(() => parseListQuery(query));
    const counts = Map.groupBy(errors, ({ parameter }) =>
      parameter.startsWith('u') ? 'unknown' : parameter,
    );
    expect(Object.fromEntries([...counts].map(([name, { length }]) => [name, length]))).toEqual({
      unknown: 20,
      sort: 20,
      fields: 20,
      'verticale.notIn': 20,
      limit: 1,
    });
    expect(message).toBe('3051 faults, see errors.');
  });
});

describe('unknown parameters', () => {
  it('count as one parameter', () => {
    const problem = problemOf(() => parseListQuery(many(4000, (index) => `skip${index}=1`)));
    expect(problem.message).toBe('4000 faults, see errors.');
    expect(problem.errors).toHaveLength(20);
    expect(problem.errors.map(({ parameter }) => parameter)).toEqual(
      Array.from({ length: 20 }, (_, index) => `skip${index}`),
    );
    expect(problem.errors[19]?.detail).toBe(
      'There is no such parameter. Did you mean "skip"? 3980 more unknown parameters are not shown.',
    );
    expect(faultsOf(many(21, (index) => `x${index}`))[19]?.detail).toMatch(
      / 1 more unknown parameter is not shown\.$/,
    );
  });
});

describe('names and values', () => {
  const quoted = (query: string) => faultsOf(query)[0];

  it('are quoted to 60 characters', () => {
    expect(quoted(`lang=${'x'.repeat(60)}`)?.detail).toContain(`"${'x'.repeat(60)}"`);
    expect(quoted(`lang=${'x'.repeat(10_000)}`)?.detail).toContain(`"${'x'.repeat(60)}…"`);
    expect(quoted(`${'x'.repeat(60)}=1`)?.parameter).toBe('x'.repeat(60));
    expect(quoted(`${'x'.repeat(10_000)}=1`)?.parameter).toBe(`${'x'.repeat(60)}…`);
  });

  it('are never cut within a character', () => {
    const text = `${'x'.repeat(59)}😀😀`;
    expect(quoted(`lang=${encodeURIComponent(text)}`)?.detail).toContain(`"${'x'.repeat(59)}…"`);
  });

  it('are cut without giving a token away', () => {
    const secret = 'S'.repeat(100);
    for (let length = 0; length < 60; length++) {
      const [fault] = faultsOf(`lang=${'x'.repeat(length)}sk_test_${secret}`);
      expect(fault?.detail).not.toContain('S');
    }
  });
});

describe('the work on a request', () => {
  it('words the faults that are shown, and no others', () => {
    const faults = new FaultList();
    const explain = vi.fn(() => ({ code: 'unknown_value', detail: 'No.' }) as const);
    for (let index = 0; index < 3764; index++) {
      faults.add('lang', explain);
      faults.addUnknown(`x${index}`, explain);
    }
    expect(explain).toHaveBeenCalledTimes(40);
    expect(faults.problem().errors).toHaveLength(40);
  });

  it.each(COSTLY)('of 16 kB of %s is in proportion to it', (_, query) => {
    const work = workOn(() => problemOf(() => parseListQuery(query)));
    // An exception costs as much as reading a hundred characters.
    expect(work.exceptions).toBe(0);
    // Once to find out that something is wrong, once to find out what.
    expect(work.checks).toBeLessThanOrEqual(2 * query.split(/[&,]/).length);
    expect(work.comparisons).toBeLessThanOrEqual(MOST_COMPARISONS);
  });

  it('is none for a query that was refused just now', () => {
    const query = `verticale.in=${items(4000, (index) => index.toString(36))}`;
    const first = problemOf(() => parseListQuery(query));
    const work = workOn(() => expect(problemOf(() => parseListQuery(query))).toBe(first));
    expect(work).toEqual({ exceptions: 0, checks: 0, comparisons: 0 });
  });

  it('shows of every parameter at least one fault, whatever the length', () => {
    const loud = '%01'.repeat(60);
    // Any text may be a country, and a number of stores to skip is read at any length.
    const names = LIST_PARAMETERS.parameters
      .filter(
        ({ name, check }) => name !== 'skip' && check(`1${decodeURIComponent(loud)}`) !== null,
      )
      .map(({ name }) => name);
    const values = (name: string) => many(20, (index) => `${name}=${index}${loud}`);
    const { errors } = problemOf(() => parseListQuery(names.map(values).join('&')));
    expect(new Set(errors.map(({ parameter }) => parameter))).toEqual(new Set(names));
    expect(JSON.stringify(errors).length).toBeLessThan(MOST_BYTES);
  });
});

describe('an error answer', () => {
  const LOUD = '%01';
  const LONG = '%F0%9F%98%80';

  it.each([
    ['15 kB of sort', `sort=${items(3764, (index) => `x${index}`.slice(0, 4))}`],
    ['15 kB of one sort', `sort=${'x'.repeat(15_000)}`],
    ['16 kB of unknown names', many(4000, (index) => `${index}`)],
    ['one unknown name of 16 kB', 'x'.repeat(16_000)],
    ['thousands of items', `verticale.in=${items(8000, (index) => index.toString(36))}`],
    ['thousands of empty items', `fields=${','.repeat(16_000)}`],
    ['deep fields', `fields=${items(300, (index) => `${index}${'.a'.repeat(25)}`)}`],
    ['one deep field', `fields=geo${'.location'.repeat(1_700)}`],
    ['numbers again and again', many(1500, (index) => `limit=${101 + index}`)],
    ['characters that JSON escapes', `lang=${LOUD.repeat(5_000)}&${LOUD.repeat(300)}=1`],
    [
      'everything at once',
      LIST_PARAMETERS.names
        .map((name) => many(20, (index) => `${name}=${index}${LOUD.repeat(60)}`))
        .concat(many(30, (index) => `${index}${'%3C'.repeat(60)}=1`))
        .join('&'),
    ],
    ['wide characters', many(1200, (index) => `${index}${LONG}=${LONG}`)],
  ])('to %s stays under 64 kB, and takes little work', async (_, query) => {
    // Before it is answered: what was refused last is not read again.
    const counter = new WorkCounter();
    for (const parse of [parseListQuery, parseGetQuery]) {
      problemOf(() => parse(query));
      const { suggestions, faults } = counter.take();
      expect(suggestions).toBeLessThanOrEqual(MOST_WORK.suggestions);
      expect(faults).toBeLessThanOrEqual(MOST_WORK.faults);
    }
    counter.stop();
    const { problem } = await refusal(`${LIST}?${query}`);
    expect(problem.errors.length).toBeLessThanOrEqual(20 * (LIST_PARAMETERS.names.length + 1));
    await refusal(`${LIST}/store-1?${query}`);
  });

  it('stays under 64 kB whatever is asked for', async () => {
    const stage = openStage();
    const token = await issueToken();
    const name = fc.oneof(fc.constantFrom(...LIST_PARAMETERS.names), fc.string());
    const value = fc.tuple(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 400 }));
    const parameter = fc.tuple(name, value).map(([key, [text, times]]) => {
      const unit = encodeURIComponent(text.isWellFormed() ? `${text},` : '<,');
      return `${encodeURIComponent(key)}=${unit.repeat(times).slice(0, 12_000).replace(/%.?$/, '')}`;
    });
    await fc.assert(
      fc.asyncProperty(fc.array(parameter, { minLength: 1, maxLength: 30 }), async (pairs) => {
        const path = `${LIST}?nope=1&${pairs.join('&')}`;
        const response = await stage.request(path, { token });
        expect(response.status).toBe(400);
        const { byteLength } = await response.arrayBuffer();
        expect(byteLength).toBeLessThan(MOST_BYTES);
      }),
      { numRuns: 40 },
    );
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
