/** The query of `GET /healthz`. */
import * as z from 'zod';
import { parameter, wholeNumberFrom } from '../../query/parameters.ts';
import { querySchema } from './query-schema.ts';

/** `ranWithin`: seconds within which publishing must have run; null when that is not asked. */
export const HEALTH_QUERY = querySchema(
  z.strictObject({
    'ran-within': parameter(wholeNumberFrom(1), {
      description:
        'Seconds. The answer is 503 when no publication has ended within that time, so an uptime monitor notices that the publishing job has stopped. What `npm start` publishes does not count.',
      example: '10800',
    }),
  }),
  ({ 'ran-within': ranWithin = null }) => ({ ranWithin }),
);
