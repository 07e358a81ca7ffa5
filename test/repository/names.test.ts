/** Names and comments in the words that a reader searches for, and that one reads once. */
import { expect, it } from 'vitest';
import { sourcesBelow } from './support/sources.ts';

const FOLDERS = ['src', 'client/src', 'bench', 'fixtures', 'scripts', 'web'];

/** The words that are looked for stand here. */
const THIS_FILE = 'test/repository/names.test.ts';

/** Titles say what to write instead. */
const FORBIDDEN: readonly (readonly [title: string, pattern: RegExp])[] = [
  [
    'limits are MAX_, MIN_ or DEFAULT_',
    /\b(?:MOST|LONGEST|LEAST|FEWEST|LARGEST|SMALLEST|STANDARD)_[A-Z]/,
  ],
  ['the request that pays for reads is a ReadContext', /\bBackground\b/],
  ['an index or an offset is called that, not a place', /\b(?:let|_,) place\b|\bplace\+\+/],
  [
    'functions say what they make (toQuery, nextEntry) or load',
    /\b(?:decide|lookAt|readTables|prepareTables|matchesNoneOf)\w*\(/,
  ],
  ['types are named for what they are', /\b(?:Sight|Visitor|Understood|UNDERSTOOD\w*)\b/],
  [
    'comments write the noun instead of "those of" or "that of"',
    /^\s*(?:\/?\*|\/\/).*\b[Tt]h(?:ose|at) of\b/,
  ],
  [
    'comments name their subject',
    /^\s*(?:\/?\*|\/\/).*\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever|[Tt]old of|[Ww]hat is more)\b/,
  ],
  [
    'measurements stand in RESULTS or in the commit',
    /^\s*(?:\/?\*|\/\/).*\d ?(?:µs|microseconds)\b/,
  ],
];

/** Types that once had two meanings each. */
const ONE_MEANING = ['Part', 'Base', 'Count', 'StoreName'];

const FILES = FOLDERS.flatMap(sourcesBelow);

const LINES = [...FILES, ...sourcesBelow('test').filter(({ path }) => path !== THIS_FILE)].flatMap(
  ({ path, text }) =>
    text.split('\n').map((line, index) => ({ line, where: `${path}:${index + 1}` })),
);

/** A docstring, and the line that it is about. */
const DOCSTRING = /\/\*\*[\s*]*((?:(?!\*\/).)*?)\s*\*\/\n\s*([^\n]*)/gs;

/** The first line of a function or a method, without constructors and properties. */
const FUNCTION =
  /^(?:export )?(?:default )?(?:async )?function\b|^(?:export )?const \w+ = (?:async )?\(.*|^(?!constructor|get |if|for|while|switch|return|it\b|describe)(?:private |static |async |\*)*[\w#]+(?:<[^(]*>)?\((?:.*[{,(])?$/;

it.each(FORBIDDEN)('%s', (_title, pattern) => {
  expect(LINES.length).toBeGreaterThan(10_000);
  expect(LINES.filter(({ line }) => pattern.test(line))).toEqual([]);
});

it.each(ONE_MEANING)('%s is at most one type', (name) => {
  const declaration = new RegExp(`^(?:export )?(?:interface|type|class) ${name}\\b`);
  expect(LINES.filter(({ line }) => declaration.test(line)).length).toBeLessThan(2);
});

it('docstrings of functions begin with a verb in the third person', () => {
  const functions = FILES.flatMap(({ path, text }) =>
    [...text.matchAll(DOCSTRING)]
      .filter(([, , line = '']) => FUNCTION.test(line))
      .map(([, words = '', line]) => ({ path, words, line })),
  );
  expect(functions.length).toBeGreaterThan(1_000);
  expect(functions.filter(({ words }) => !/^[A-Z][a-z]+s\b/.test(words))).toEqual([]);
});
