/** The schema of problems: why a request was not answered. */
import * as z from 'zod';
import { PROBLEMS } from '../../src/model/problem.ts';
import { FAULTS } from './fault-codes.ts';

/** Codes with the name that they have in the OpenAPI document. */
function named(id: string, sentence: string, meanings: Readonly<Record<string, string>>) {
  const list = Object.entries(meanings).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);
  const description = `${sentence} The codes are stable: programs go by them.\n\n${list.join('\n')}`;
  return z.enum(Object.keys(meanings)).meta({ id, description });
}

const parameterFaultSchema = z
  .strictObject({
    parameter: z.string().describe('Name of the query parameter, cut after 60 characters.'),
    code: named('ParameterFaultCode', 'Kind of fault of a parameter.', FAULTS),
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
      Object.fromEntries(
        Object.entries(PROBLEMS).map(([code, { status, title }]) => [code, `${status}, ${title}.`]),
      ),
    ),
    errors: z
      .array(parameterFaultSchema)
      .optional()
      .describe(
        'The faults of the query, when the status is 400: at most 20 of each parameter. If there are more, an entry with the code `more_faults` tells how many. All unknown parameters count together; its `parameter` is then `?`.',
      ),
  })
  .meta({ id: 'Problem', description: 'Why a request was not answered (RFC 9457).' });
