/** The request that an operation is shown with. */
import { HEALTH_PATH, LIST_PATH } from '../../src/http/paths.ts';
import { EXAMPLE_STORE } from '../openapi/example-store.ts';
import { SINCE } from '../openapi/request-examples.ts';
import { type Invented, SAMPLES, type SampleRequest } from './browser/code-samples.ts';
import type { Operation } from './openapi.ts';

const INVENTED: readonly Invented[] = [
  {
    text: EXAMPLE_STORE.slug,
    source: `${LIST_PATH}?limit=1&fields=slug`,
    name: 'slug',
    path: '.docs[0].slug',
  },
  { text: SINCE, source: HEALTH_PATH, name: 'release', path: '.release' },
];

/** Returns the request of an operation's first example, else its path alone. */
export function sampleRequest({ path, needsToken, answers }: Operation): SampleRequest {
  const [example] = answers[0]?.examples ?? [];
  const target = example?.description?.match(/`GET ([^`\s]+)`/)?.[1] ?? path;
  return { target, needsToken, invented: inventedIn(target) };
}

/** Returns the invented part of a request or a value. */
export function inventedIn(target: string): Invented | undefined {
  return INVENTED.find(({ text }) => target.includes(text));
}

/** Returns the same request in each language. */
export function codeSamples(operation: Operation) {
  const request = sampleRequest(operation);
  const languages = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[];
  return languages.map((language) => ({ language, source: SAMPLES[language](request) }));
}
