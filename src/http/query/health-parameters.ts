/** The query of `GET /healthz`. */
import { wholeParameter } from './number-parameter.ts';
import { ParameterSet } from './parameter-set.ts';
import { QueryReader } from './query-reader.ts';

const RAN_WITHIN = wholeParameter(
  {
    name: 'ran-within',
    description:
      'Seconds. The answer is 503 when publishing has not run to its end within that time, so that an uptime monitor notices when the job that publishes has stopped.',
    example: '10800',
  },
  { least: 1 },
);

export const HEALTH_PARAMETERS = new ParameterSet([RAN_WITHIN]);

/** `ranWithin`: seconds within which publishing must have run; null when that is not asked. */
export const HEALTH_QUERY = new QueryReader(HEALTH_PARAMETERS, HEALTH_PARAMETERS.schema()).to(
  ({ 'ran-within': ranWithin = null }) => ({ ranWithin }),
);
