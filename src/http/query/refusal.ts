/** Turns what a schema found in a query into the problem that the caller is told of. */
import type { z } from 'zod';
import { type FaultCode, FaultList } from './faults.ts';
import { asList, itemsOf, type Parameter, type ShownTexts } from './parameter.ts';
import type { ParameterSet } from './parameter-set.ts';
import { type SentText, unknownName } from './query-text.ts';

/** A query as Hono shows it to a schema. */
export type ShownQuery = Readonly<Record<string, ShownTexts>>;

type Issue = z.core.$ZodIssue;

/** What a check that looks at several parameters knows of the fault it found. */
export interface KnownFault {
  readonly detail: string;
  /** The parameter before whose own faults it is listed. */
  readonly before?: string;
}

/** What such a check adds: a fault of the parameter `name`. */
export function issueOf(name: string, code: FaultCode, known: KnownFault) {
  return { code: 'custom' as const, path: [name], message: code, params: { ...known } };
}

/**
 * Refuses a query: unknown parameters first, then parameter by parameter.
 * @param issues what the schema of `declared` found in what it was `shown`
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export function refuse(issues: readonly Issue[], shown: ShownQuery, declared: ParameterSet): never {
  const refusal = new Refusal(shown, declared);
  for (const issue of inOrder(issues, declared)) refusal.add(issue);
  refusal.faults.throwIfAny();
  throw new Error('a query was refused without a fault');
}

/** Of one parameter first that it was given twice, then what is wrong with its values. */
function inOrder(issues: readonly Issue[], { names }: ParameterSet): Issue[] {
  const places = new Map(names.map((name, index) => [name, index * 3]));
  const placeOf = (issue: Issue): number => {
    const { before } = knownOf(issue);
    const place = places.get(before ?? String(issue.path[0])) ?? -1;
    if (before !== undefined || place < 0) return place;
    return place + (issue.message === 'duplicate_parameter' ? 1 : 2);
  };
  return issues.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function knownOf(issue: Issue): Partial<KnownFault> {
  return issue.code === 'custom' ? (issue.params ?? {}) : {};
}

class Refusal {
  readonly faults = new FaultList();
  private readonly shown: ShownQuery;
  private readonly declared: ParameterSet;
  /** The values of the parameters that have faults, as the schema counted them. */
  private readonly texts = new Map<Parameter, readonly SentText[]>();
  /** The values that have been told of: one that was sent twice has its fault once. */
  private readonly told = new Set<string>();

  constructor(shown: ShownQuery, declared: ParameterSet) {
    this.shown = shown;
    this.declared = declared;
  }

  add(issue: Issue): void {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) this.addUnknown(unknownName(key));
      return;
    }
    const [name, index] = issue.path as [string, number?];
    const code = issue.message as FaultCode;
    const { detail } = knownOf(issue);
    const parameter = this.declared.byName.get(name) as Parameter;
    if (detail !== undefined) this.faults.add(name, () => ({ code, detail }));
    else if (index === undefined) this.addRepeated(parameter, code);
    else this.addValue(parameter, code, index);
  }

  private addUnknown(name: string): void {
    this.faults.addUnknown(name, () => this.declared.explainUnknown(name));
  }

  private addRepeated(parameter: Parameter, code: FaultCode): void {
    const detail = `Takes one value, got ${this.textsOf(parameter).length}.`;
    this.faults.add(parameter.name, () => ({ code, detail }));
  }

  private addValue(parameter: Parameter, code: FaultCode, index: number): void {
    const text = this.textsOf(parameter)[index] ?? null;
    const value = text === null ? parameter.name : `${parameter.name}=${text}`;
    if (this.told.has(value)) return;
    this.told.add(value);
    this.faults.add(parameter.name, (faults) => {
      const detail = text ? parameter.explain(code, text, faults) : explainNothing(text, parameter);
      return { code, detail };
    });
  }

  private textsOf(parameter: Parameter): readonly SentText[] {
    const known = this.texts.get(parameter);
    if (known) return known;
    const shown = this.shown[parameter.name] as ShownTexts;
    const texts = parameter.array ? itemsOf(shown) : asList(shown);
    this.texts.set(parameter, texts);
    return texts;
  }
}

/** What is expected of a value that is empty, or null because it cannot be decoded. */
function explainNothing(text: string | null, { array }: Parameter): string {
  if (text === null) return 'Expected percent-encoded UTF-8.';
  return array ? 'Expected no empty item.' : 'Expected a value, got none.';
}
