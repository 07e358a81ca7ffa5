/**
 * The service as the platform runs it: requests through the front door, each with a context of its own,
 * in one isolate of workerd, over slow storage, of which some are ended while they wait.
 *
 * A request is ended by answering early and not handing its `waitUntil` on: then workerd ends its
 * context, and with it all promises and timers that it made. Several services lie in the isolate, each
 * with an env object of its own, so that each begins with empty memory.
 *
 *     x-service    which of them answers
 *     x-ends-at    ends this request when the service begins so many reads from now on
 *
 * `POST /storage` sets how the storage of a service behaves, and tells what was asked for.
 */
import { app } from '../../../src/app.ts';
import { Trace } from '../../../src/http/trace.ts';

// Requests wait longer than any test, so that a busy machine fails none of them.
Object.defineProperty(Trace.prototype, 'giveUpAt', {
  get(this: { readonly cameAt: number }) {
    return this.cameAt + 120_000;
  },
});

type Get = (keys: string | string[], options: unknown) => Promise<unknown>;

class Service {
  readonly env: Env;
  /** Reads that have begun. */
  reads = 0;
  /** Promises that were handed to `waitUntil` and have not settled. */
  open = 0;
  /** Milliseconds that a read takes from now on. */
  delay = 0;
  private readsToEnd = 0;
  private end: () => void = () => {};

  constructor(env: Env) {
    this.env = {
      ...env,
      SNAPSHOTS: this.slow(env.SNAPSHOTS),
      TOKENS: this.slow(env.TOKENS),
    } as Env;
  }

  /** Calls `end` when so many reads have begun from now on. */
  endAt(reads: number, end: () => void): void {
    this.readsToEnd = reads;
    this.end = end;
  }

  private slow(namespace: KVNamespace): KVNamespace {
    const real = namespace.get.bind(namespace) as Get;
    const get: Get = async (keys, options) => {
      this.reads++;
      if (this.readsToEnd > 0 && --this.readsToEnd === 0) this.end();
      await scheduler.wait(this.delay);
      return real(keys, options);
    };
    return { get } as unknown as KVNamespace;
  }
}

const services = new Map<string, Service>();

export default {
  async fetch(request, env, context): Promise<Response> {
    const name = request.headers.get('x-service') ?? '';
    const service = services.get(name) ?? new Service(env);
    services.set(name, service);
    if (new URL(request.url).pathname === '/storage') return order(service, request);
    const endsAt = Number(request.headers.get('x-ends-at'));
    if (endsAt === 0) {
      return app.fetch(request, service.env, unendedContext(context, service));
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    service.endAt(endsAt, resolve);
    // Made here: the read that ends this request may be another one's, whose response is not ours to send.
    const ended = promise.then(() => new Response('ended', { status: 599 }));
    const forgetful = { ...context, waitUntil() {}, passThroughOnException() {}, props: {} };
    return Promise.race([ended, app.fetch(request, service.env, forgetful)]);
  },
} satisfies ExportedHandler<Env>;

/** Counts what is handed to `waitUntil`, and hands it on. */
function unendedContext(context: ExecutionContext, service: Service): ExecutionContext {
  return {
    props: {},
    passThroughOnException() {},
    waitUntil(work: Promise<unknown>) {
      service.open++;
      const done = () => {
        service.open--;
      };
      context.waitUntil(work.then(done, done));
    },
  } as unknown as ExecutionContext;
}

async function order(service: Service, request: Request): Promise<Response> {
  Object.assign(service, await request.json<{ delay?: number }>());
  return Response.json({ reads: service.reads, open: service.open });
}
