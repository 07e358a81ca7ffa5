/** The schema of problems: why a request was not answered. */
import * as z from 'zod';
import { type FaultCode, PROBLEM_CODES, PROBLEMS } from '../../src/model/problem.ts';
import { FAULTS } from './fault-codes.ts';

/** Codes with the name that they have in the OpenAPI document. */
function named<Code extends string>(
  id: string,
  sentence: string,
  codes: readonly Code[],
  meaningOf: (code: Code) => string | undefined,
) {
  const list = codes.map((code) => `- \`${code}\`: ${meaningOf(code)}`).join('\n');
  const description = `${sentence} The codes are stable: programs go by them.\n\n${list}`;
  return z.enum(codes).meta({ id, description });
}

const parameterFaultSchema = z
  .strictObject({
    parameter: z.string().describe('Name of the query parameter, cut after 60 characters.'),
    code: named(
      'ParameterFaultCode',
      'Kind of fault of a parameter.',
      Object.keys(FAULTS) as FaultCode[],
      (code) => FAULTS[code],
    ),
    detail: z.string().describe('What is wrong with the parameter, for people.'),
  })
  .meta({ id: 'ParameterFault', description: 'One fault of one query parameter.' });

/** The body of an answer of status 400 and above. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta({ format: 'uri-reference' }).describe('Page about this kind of problem.'),
    title: z.string().describe('The kind of problem in a few words, for people.'),
    status: z.int().min(400).max(599).describe('Status of the answer.'),
    detail: z.string().describe('What is wrong with this request.'),
    instance: z
      .string()
      .meta({ format: 'uri-reference' })
      .describe('Path of the request, without its query, cut after 1,024 characters.'),
    code: named(
      'ProblemCode',
      'Kind of problem.',
      PROBLEM_CODES,
      (code) => `${PROBLEMS[code].status}, ${PROBLEMS[code].title}.`,
    ),
    errors: z
      .array(parameterFaultSchema)
      .optional()
      .describe(
        'The faults of the query, when the status is 400: at most 20 of each parameter. If there are more, an entry with the code `more_faults` tells how many. All unknown parameters count together; its `parameter` is then `?`.',
      ),
  })
  .meta({ id: 'Problem', description: 'Why a request was not answered (RFC 9457).' });
