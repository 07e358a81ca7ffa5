import type { TestProject } from 'vitest/node';
import { serve } from '../serve.ts';
import { installClient } from './installed-client.ts';
import type { Prepared } from './prepared.ts';
import { startService } from './service.ts';

const PREPARE = { client: installClient, service: startService };

type Preparations = typeof PREPARE;
export type PreparedName = keyof Preparations;
export type PreparedValue<Name extends PreparedName> = Awaited<
  ReturnType<Preparations[Name]>
>['value'];

/** For vitest: answers those who ask. What it returns ends what was prepared. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prepared = new Map<string, Promise<Prepared<unknown>>>();
  const prepare = (name: string) => {
    const known = prepared.get(name) ?? PREPARE[name as PreparedName]();
    prepared.set(name, known);
    return known;
  };
  const { origin, close } = await serve((request, response) => {
    prepare((request.url ?? '').slice(1)).then(
      ({ value }) => response.end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('preparedAt', origin);
  return async () => {
    close();
    for (const each of await Promise.allSettled(prepared.values())) {
      if (each.status === 'fulfilled') await each.value.end();
    }
  };
}
