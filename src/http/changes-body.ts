/** The body of `GET /v2/external/changes`. */
import * as z from 'zod';
import { CHANGE_KINDS } from '../query/store-changes.ts';
import { MAX_CHANGES } from './query/changes-query.ts';

export const changesSchema = z
  .strictObject({
    release: z
      .string()
      .describe('The later of the two releases. Ask for the changes since it the next time.'),
    since: z.string().describe('The earlier of the two releases.'),
    total: z.int().min(0).describe('Number of stores that differ, whatever the page.'),
    docs: z
      .array(
        z
          .strictObject({
            id: z.string().describe('Id of the store; only the case of its letters may change.'),
            slug: z
              .string()
              .describe('Slug of the store; of a removed store, the last that it had.'),
            change: z.enum(CHANGE_KINDS).meta({
              id: 'ChangeKind',
              description:
                'What became of the store. `changed`: some answer about it could differ, in any language.',
            }),
          })
          .meta({ id: 'StoreChange', description: 'A store that differs between two releases.' }),
      )
      .max(MAX_CHANGES)
      .describe('In the order of ids.'),
  })
  .meta({ id: 'ChangeList', description: 'A page of the stores that differ.' });
