/** What each kind of problem means: the `type` of a problem leads to its page. */
import { PROBLEMS_PATH, problemPath } from '../../src/http/paths.ts';
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../src/model/problem.ts';
import { FAULTS } from '../openapi/fault-codes.ts';
import { exampleProblem } from '../openapi/responses.ts';
import { blocks, codeBlock, type DocsPage, table } from './markdown.ts';

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
  return {
    id: `problems/${code}`,
    title,
    body: blocks(
      `Status ${status}, code \`${code}\`. [All problems](${PROBLEMS_PATH})`,
      helpOf(code),
      code === 'invalid_parameters' ? faultTable() : '',
      '## Example',
      codeBlock(JSON.stringify(exampleProblem(code), null, 2), 'json'),
    ),
  };
}
