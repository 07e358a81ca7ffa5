/** Matches the query of a request with the parameters of its operation, and collects all faults. */

import { FaultList } from './faults.ts';
import type { Parameter } from './parameter.ts';

/** What another operation takes, so that who asks for it here is told where it belongs. */
export interface Elsewhere {
  readonly parameters: readonly Parameter[];
  /** Who takes them, as a sentence. */
  readonly detail: string;
}

/** The parameters of an operation, ready for look-ups. */
export class ParameterSet {
  readonly parameters: readonly Parameter[];
  /** By the names they may be written under: `name`, and `name[]` where an array is taken. */
  readonly byName: ReadonlyMap<string, Parameter>;
  readonly names: readonly string[];
  private readonly elsewhere: { readonly names: ReadonlySet<string>; readonly detail: string };

  constructor(parameters: readonly Parameter[], { parameters: others, detail }: Elsewhere) {
    this.parameters = parameters;
    this.names = parameters.map(({ name }) => name);
    this.byName = byWrittenName(parameters);
    this.elsewhere = { names: new Set(byWrittenName(others).keys()), detail };
  }

  /** What to tell who asks for a parameter that is not of this set. */
  explainUnknown(name: string, faults: FaultList): string {
    if (this.elsewhere.names.has(name)) return this.elsewhere.detail;
    const single = name.endsWith('[]') && this.byName.get(name.slice(0, -2));
    return single
      ? `${single.name} takes one value, not an array. Did you mean "${single.name}"?`
      : `There is no such parameter.${faults.suggestion(name, this.names)}`;
  }
}

function byWrittenName(parameters: readonly Parameter[]): ReadonlyMap<string, Parameter> {
  return new Map(
    parameters.flatMap((parameter): [string, Parameter][] => [
      [parameter.name, parameter],
      ...(parameter.array ? [[`${parameter.name}[]`, parameter] as [string, Parameter]] : []),
    ]),
  );
}

/** Reads the parameters of one request. Faults are kept until `faults.throwIfAny()`. */
export class ParameterReader {
  readonly faults = new FaultList();
  private readonly given = new Map<Parameter, string[]>();

  /** @param query the text after `?`, as it was sent */
  constructor(query: string, declared: ParameterSet) {
    for (const { name, value } of parseQueryString(query)) {
      const parameter = declared.byName.get(name);
      if (parameter) this.take(parameter, value);
      else {
        const detail = declared.explainUnknown(name, this.faults);
        this.faults.add(name, { code: 'unknown_parameter', detail });
      }
    }
  }

  /** Whether the parameter was given, with whatever value. */
  has(parameter: Parameter): boolean {
    return this.given.has(parameter);
  }

  /** The value of a parameter that takes one; undefined when it was not given, or is faulty. */
  one<Value>(parameter: Parameter<Value>): Value | undefined {
    const texts = this.given.get(parameter);
    if (!texts) return undefined;
    if (texts.length > 1) {
      const detail = `Takes one value, got ${texts.length}.`;
      this.faults.add(parameter.name, { code: 'duplicate_parameter', detail });
    }
    return this.readAll(parameter, texts)[0];
  }

  /** The values of a parameter that takes an array, without repetitions; empty when not given. */
  many<Value>(parameter: Parameter<Value>): Value[] {
    const texts = this.given.get(parameter);
    if (!texts) return [];
    const items = new Set(texts.flatMap((text) => text.split(',')));
    return this.readAll(parameter, items);
  }

  private readAll<Value>(parameter: Parameter<Value>, texts: Iterable<string>): Value[] {
    const values: Value[] = [];
    for (const text of texts) {
      const reading = text === '' ? emptyValue(parameter) : parameter.read(text, this.faults);
      if ('value' in reading) values.push(reading.value);
      else this.faults.add(parameter.name, reading.fault);
    }
    return values;
  }

  private take(parameter: Parameter, value: string | null): void {
    const texts = this.given.get(parameter) ?? [];
    this.given.set(parameter, texts);
    if (value !== null) texts.push(value);
    else {
      const detail = 'Expected percent-encoded UTF-8.';
      this.faults.add(parameter.name, { code: 'malformed_encoding', detail });
    }
  }
}

function emptyValue(parameter: Parameter): { fault: { code: 'empty_value'; detail: string } } {
  const detail = parameter.array ? 'Expected no empty item.' : 'Expected a value, got none.';
  return { fault: { code: 'empty_value', detail } };
}

interface QueryPair {
  /** Decoded; as it was sent when it cannot be decoded. */
  readonly name: string;
  /** Decoded; empty without a `=`; null when it cannot be decoded. */
  readonly value: string | null;
}

/** The pairs of `query` (the text after `?`) in the order they were sent. */
function parseQueryString(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    pairs.push({ name: decode(name) ?? name, value: decode(value) });
  }
  return pairs;
}

function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
