/** The parameters in paths, as schemas. */
import { z } from 'zod';
import { PROBLEM_CODES } from '../problem.ts';
import { GUIDE_NAMES } from './paths.ts';

/** Of `PROBLEM_PATH`. */
export const problemPathSchema = z.object({
  code: z.enum(PROBLEM_CODES).meta({ description: 'Code of a problem.', example: 'token_missing' }),
});

/** Of `GUIDE_PATH`. */
export const guidePathSchema = z.object({
  guide: z.enum(GUIDE_NAMES).meta({ description: 'Name of a guide.', example: 'quick-start' }),
});
