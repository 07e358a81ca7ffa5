/** The parameters in paths, as schemas. */
import { z } from 'zod';
import { PROBLEM_CODES } from '../problem.ts';
import { GUIDES, type GuideName } from './paths.ts';

/** Of `STORE_PATH`. Which ids and slugs there are is known to the release that answers. */
export const storePathSchema = z.object({
  id: z.string().meta({
    description:
      'Identifier of the store, in any case, or its slug, exactly. That of the example is invented: take ' +
      'one from the list of stores.',
    example: 'velos-du-port',
  }),
});

/** Of `PROBLEM_PATH`. */
export const problemPathSchema = z.object({
  code: z.enum(PROBLEM_CODES).meta({ description: 'Code of a problem.', example: 'token_missing' }),
});

/** Of `GUIDE_PATH`. */
export const guidePathSchema = z.object({
  guide: z
    .enum(Object.keys(GUIDES) as GuideName[])
    .meta({ description: 'Name of a guide.', example: 'quick-start' }),
});
