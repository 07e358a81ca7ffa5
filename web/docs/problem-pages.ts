/** What each kind of problem means: the `type` of a problem leads to its page. */
import { PROBLEMS_PATH, problemPath } from '../../src/http/paths.ts';
import { problemBody } from '../../src/http/problem-body.ts';
import {
  PROBLEM_CODES,
  PROBLEMS,
  type ProblemCode,
  ProblemError,
} from '../../src/model/problem.ts';
import { FAULTS } from '../openapi/fault-codes.ts';
import { blocks, codeBlock, type DocsPage, table } from './markdown.ts';
import { examplesOf, operations } from './openapi.ts';

/** What no operation answers with: a path has none. */
const UNKNOWN_ROUTE = new ProblemError('route_unknown', PROBLEMS.route_unknown.help);

const ANSWERS = [
  ...operations.flatMap(({ responses }) => Object.values(responses).flatMap(examplesOf)),
  { value: problemBody(UNKNOWN_ROUTE, '/v2/external/shops') },
];

export function problemTable(): string {
  const rows = PROBLEM_CODES.map((code) => [
    PROBLEMS[code].status,
    `[\`${code}\`](${problemPath(code)})`,
    helpOf(code),
  ]);
  return table(['Status', 'Code', 'Meaning'], rows);
}

/** Returns what to do, in which `<prefix>` is no markup. */
const helpOf = (code: ProblemCode): string => PROBLEMS[code].help.replaceAll('<', '&lt;');

/** Writes the codes of single faults in `errors`, with their meanings. */
export function faultTable(): string {
  const rows = Object.entries(FAULTS).map(([code, meaning]) => [`\`${code}\``, meaning]);
  return blocks('Codes of the single faults in `errors`:', table(['Code', 'Meaning'], rows));
}

export function problemPage(code: ProblemCode): DocsPage {
  const { title, status } = PROBLEMS[code];
  const example = ANSWERS.find(({ value }) => Object(value).code === code);
  return {
    id: `problems/${code}`,
    title,
    body: blocks(
      `Status ${status}, code \`${code}\`. [All problems](${PROBLEMS_PATH})`,
      helpOf(code),
      code === 'invalid_parameters' ? faultTable() : '',
      '## Example',
      codeBlock(JSON.stringify(example?.value, null, 2), 'json'),
    ),
  };
}
