/**
 * The Worker on a clock that stands still until a request says that time has passed: so a test decides
 * when an isolate looks at the pointer, however fast the machine is. Everything else is as deployed.
 */
import worker from '../../../src/worker.ts';
import { LATER_HEADER } from '../told-time.ts';

let now = Date.UTC(2026, 10, 1);
Date.now = () => now;

export default {
  fetch(request, env, context) {
    now += Number(request.headers.get(LATER_HEADER) ?? 0);
    return worker.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
