/** The OpenAPI document as the console reads it. */
import { codeSamples, requestOf } from '../docs/code-samples.ts';
import { OpenApi, type Operation, type Parameter } from '../docs/openapi.ts';
import type { Site } from '../site.ts';

/** Adds our code samples, and has each operation begin with the request that these show. */
export function consoleDocument(site: Pick<Site, 'document'>): unknown {
  const document = structuredClone(site.document) as {
    paths: Record<string, Record<string, object>>;
  };
  for (const operation of new OpenApi(site).operations) {
    const method = operation.method.toLowerCase();
    const item = document.paths[operation.path];
    if (!item) continue;
    item[method] = {
      ...item[method],
      parameters: firstParameters(operation),
      'x-codeSamples': samplesOf(operation),
    };
  }
  return document;
}

/** In the form in which several tools read samples. */
function samplesOf(operation: Operation): object[] {
  return codeSamples(operation).map(({ key, label, source }) => ({
    lang: key === 'curl' ? 'shell' : key,
    label,
    source,
  }));
}

/**
 * The console sends every parameter that it has a value for, and makes values up for some, whether they
 * go together or not. So all are switched off, by an extension that it reads, but for those of one request.
 */
function firstParameters(operation: Operation): object[] {
  const query = new URLSearchParams(requestOf(operation).split('?')[1]);
  return operation.parameters.map((parameter) => {
    if (parameter.required) return parameter;
    const { example, examples: _, ...rest } = parameter;
    const text = query.get(parameter.name);
    const value = text === null ? example : parsed(parameter, text);
    const shown = value === undefined ? '' : value;
    return { ...rest, examples: { default: { value: shown, 'x-disabled': text === null } } };
  });
}

const parsed = ({ schema }: Parameter, text: string): unknown =>
  schema.type === 'array' ? text.split(',') : text;
