/** The parameter in a path that the document lists the values of, as a schema. */
import { z } from 'zod';
import { PROBLEM_CODES } from '../problem.ts';

/** Of `PROBLEM_PATH`. */
export const problemPathSchema = z.object({
  code: z.enum(PROBLEM_CODES).meta({ description: 'Code of a problem.', example: 'token_missing' }),
});
