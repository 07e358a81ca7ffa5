/** What several test files of Node use, prepared when one of them first asks for it. */
import type { TestProject } from 'vitest/node';
import { serve } from '../serve.ts';
import { installClient } from './installed-client.ts';
import { startService } from './service.ts';

const PREPARE = { client: installClient, service: startService };
type Name = keyof typeof PREPARE;

/** What tests get, by name: in JSON there is no function that ends it. */
export type Prepared = {
  readonly [Each in Name]: Omit<Awaited<ReturnType<(typeof PREPARE)[Each]>>, 'end'>;
};

/** For vitest: answers those who ask. What it returns ends what was prepared. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prepared: Partial<Record<Name, Promise<{ end(): Promise<void> }>>> = {};
  const { origin, close } = await serve((request, response) => {
    const name = (request.url ?? '').slice(1) as Name;
    prepared[name] ??= PREPARE[name]();
    prepared[name].then(
      (value) => response.end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('preparedAt', origin);
  return async () => {
    close();
    for (const each of await Promise.allSettled(Object.values(prepared))) {
      if (each.status === 'fulfilled') await each.value.end();
    }
  };
}
