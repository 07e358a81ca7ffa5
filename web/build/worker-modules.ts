/**
 * Lets Node read the code of the Worker, for what it says of itself: the OpenAPI document, the list of
 * problems. Its modules are loaded then, and none of them runs; what only Cloudflare's runtime has
 * stands here by name alone.
 */
import { registerHooks } from 'node:module';

const CLOUDFLARE_WORKERS = `data:text/javascript,${encodeURIComponent(`
export function waitUntil() {
  throw new Error('only the runtime of Workers has this');
}`)}`;

/** To be called before anything of the Worker is imported. */
export function resolveWorkerModules(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'cloudflare:workers'
        ? { url: CLOUDFLARE_WORKERS, shortCircuit: true }
        : next(specifier, context),
  });
}
