/** The body of `GET /healthz`. It stands apart because the document is also made where no Worker runs. */
import * as z from 'zod';

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
