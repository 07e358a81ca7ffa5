/** The query of `GET /healthz`. */
import { z } from 'zod';
import { numberParameter } from './parameter.ts';
import { ParameterReader, ParameterSet } from './parameter-reader.ts';

const RAN_WITHIN = numberParameter(
  {
    name: 'ran-within',
    description:
      'Seconds. The answer is 503 when publishing has not run to its end within them: for an uptime monitor, which notices so that a job no longer runs.',
    example: '10800',
  },
  z.int().min(1),
);

export const HEALTH_PARAMETERS = new ParameterSet([RAN_WITHIN], { parameters: [], detail: '' });

/**
 * Within how many seconds publishing must have run; null when that is not asked.
 * @param query the text after `?`, as it was sent
 * @throws ProblemError invalid_parameters
 */
export function parseHealthQuery(query: string): number | null {
  const reader = new ParameterReader(query, HEALTH_PARAMETERS);
  const ranWithin = reader.one(RAN_WITHIN) ?? null;
  reader.faults.throwIfAny();
  return ranWithin;
}
