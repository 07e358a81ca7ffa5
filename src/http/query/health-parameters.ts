/** The query of `GET /healthz`. */
import { wholeNumberWithin } from '../../parameters/number-kinds.ts';
import { one } from '../../parameters/parameter.ts';
import { parameterSet } from '../../parameters/parameter-set.ts';

const RAN_WITHIN = one(
  {
    name: 'ran-within',
    description:
      'Seconds. The answer is 503 when no publication has ended within that time, so an uptime monitor notices that the publishing job has stopped. What `npm start` publishes does not count.',
    example: '10800',
  },
  wholeNumberWithin({ least: 1 }),
);

/** `ranWithin`: seconds within which publishing must have run; null when that is not asked. */
export const HEALTH_PARAMETERS = parameterSet({
  parameters: [RAN_WITHIN],
  decide: ({ 'ran-within': ranWithin = null }) => ({ ranWithin }),
});
