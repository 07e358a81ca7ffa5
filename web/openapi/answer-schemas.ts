/** The bodies of answers that are no stores: the Worker makes them without these schemas. */
import * as z from 'zod';
import { MAX_CHANGES } from '../../src/http/query/changes-query.ts';
import { CHANGE_KINDS } from '../../src/query/store-changes.ts';

/** The body of `GET /healthz`. */
export const healthSchema = z
  .strictObject({
    status: z
      .literal('ok')
      .describe('Always `ok`. A failure is answered by a problem with status 503.'),
    release: z.string().describe('Release that answers at present.'),
    publishedAt: z.iso.datetime().describe('When that release was published.'),
    age: z.number().min(0).describe('Seconds since the release was published.'),
    storeCount: z.int().min(0).describe('Number of stores in the release.'),
    ranAt: z.iso
      .datetime()
      .nullable()
      .describe(
        'When publishing last ran to its end, also if it found nothing to change. Null: that is not known.',
      ),
    ranAge: z
      .number()
      .min(0)
      .nullable()
      .describe('Seconds since publishing last ran to its end. Null: that is not known.'),
  })
  .meta({ id: 'Health', description: 'Service health, and the release that is served.' });

/** The body of `GET /v2/external/changes`. */
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
