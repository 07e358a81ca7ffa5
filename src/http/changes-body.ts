/** The body of `GET /v2/external/changes`. */
import { z } from 'zod';
import { CHANGE_KINDS } from '../query/compare-releases.ts';
import { MOST_CHANGES } from './query/changes-parameters.ts';

export const changesSchema = z
  .strictObject({
    release: z
      .string()
      .describe('The later of the two releases. Ask for the changes since it the next time.'),
    since: z.string().describe('The earlier one.'),
    total: z.int().min(0).describe('Number of stores that differ, whatever the page.'),
    docs: z
      .array(
        z
          .strictObject({
            id: z.string(),
            slug: z.string().describe('Of a removed store the last one that it had.'),
            change: z
              .enum(CHANGE_KINDS)
              .describe(
                'Changed is a store of which some answer could differ, in any language. Of added and changed stores ask for the new content by id.in, a hundred at a time.',
              ),
          })
          .meta({ id: 'StoreChange' }),
      )
      .max(MOST_CHANGES)
      .describe('In the order of ids.'),
  })
  .meta({ id: 'ChangeList' });
