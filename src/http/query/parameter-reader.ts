/** Matches the query of a request with the parameters of its operation, and collects all faults. */
import { suggestion } from './closest-word.ts';
import { FaultList, type ValueFault } from './faults.ts';
import type { Parameter } from './parameter.ts';

/** Parameters of the other operation. A request that uses one gets an error that says so. */
export interface Elsewhere {
  readonly parameters: readonly Parameter[];
  /** The sentence that says which operation takes them. */
  readonly detail: string;
}

/** The parameters of an operation, ready for look-ups. */
export class ParameterSet {
  readonly parameters: readonly Parameter[];
  /** By every name they may have in a query: `name`, and for arrays `name[]` too. */
  readonly byName: ReadonlyMap<string, Parameter>;
  readonly names: readonly string[];
  private readonly elsewhere: { readonly names: ReadonlySet<string>; readonly detail: string };

  constructor(parameters: readonly Parameter[], { parameters: others, detail }: Elsewhere) {
    this.parameters = parameters;
    this.names = parameters.map(({ name }) => name);
    this.byName = byWrittenName(parameters);
    this.elsewhere = { names: new Set(byWrittenName(others).keys()), detail };
  }

  /** What is wrong with a parameter that this set does not have. */
  explainUnknown(name: string): ValueFault {
    return { code: 'unknown_parameter', detail: this.detailOfUnknown(name) };
  }

  private detailOfUnknown(name: string): string {
    if (this.elsewhere.names.has(name)) return this.elsewhere.detail;
    const single = name.endsWith('[]') && this.byName.get(name.slice(0, -2));
    return single
      ? `${single.name} takes one value, not an array. Did you mean "${single.name}"?`
      : `There is no such parameter.${suggestion(name, this.names)}`;
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
  /** The values as they were sent; null for one that cannot be decoded. */
  private readonly given = new Map<Parameter, (string | null)[]>();

  /** @param query the text after `?`, as it was sent */
  constructor(query: string, declared: ParameterSet) {
    const unknown = new Set<string>();
    for (const { name, value } of parseQueryString(query)) {
      const parameter = declared.byName.get(name);
      if (parameter) this.take(parameter, value);
      else unknown.add(name);
    }
    for (const name of unknown) this.faults.addUnknown(name, () => declared.explainUnknown(name));
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
      this.faults.add(parameter.name, () => ({ code: 'duplicate_parameter', detail }));
    }
    return this.readAll(parameter, new Set(texts))[0];
  }

  /** The values of a parameter that takes an array, without repetitions; empty when not given. */
  many<Value>(parameter: Parameter<Value>): Value[] {
    const texts = this.given.get(parameter);
    if (!texts) return [];
    return this.readAll(parameter, new Set(texts.flatMap((text) => text?.split(',') ?? null)));
  }

  /** @param texts each once, so that each fault comes once */
  private readAll<Value>(parameter: Parameter<Value>, texts: ReadonlySet<string | null>): Value[] {
    const values: Value[] = [];
    for (const text of texts) {
      const reading = text
        ? parameter.read(text)
        : { explain: () => nothingToRead(text, parameter) };
      if ('value' in reading) values.push(reading.value);
      else this.faults.add(parameter.name, reading.explain);
    }
    return values;
  }

  private take(parameter: Parameter, value: string | null): void {
    const texts = this.given.get(parameter);
    if (texts) texts.push(value);
    else this.given.set(parameter, [value]);
  }
}

/** What is wrong with a value that is empty, or null because it cannot be decoded. */
function nothingToRead(text: string | null, { array }: Parameter): ValueFault {
  if (text === null) {
    return { code: 'malformed_encoding', detail: 'Expected percent-encoded UTF-8.' };
  }
  const detail = array ? 'Expected no empty item.' : 'Expected a value, got none.';
  return { code: 'empty_value', detail };
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
