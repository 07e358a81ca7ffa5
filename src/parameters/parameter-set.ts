/** The parameters of an operation: reads its queries, and says what is wrong with one. */
import { BoundedMap } from '../cache/bounded-map.ts';
import type { ProblemError } from '../problem.ts';
import { suggestion } from './closest-word.ts';
import { FaultList, UNKNOWN, type ValueFault } from './faults.ts';
import type { Asked, Parameter } from './parameter.ts';
import { readQuery, type SentQuery, type SentText, type SentTexts } from './query-text.ts';

/** Queries remembered per operation: partners ask the same few again and again. */
const REMEMBERED_QUERIES = 500;

/** Longer texts are not remembered, so that few entries never take much memory. */
const LONGEST_REMEMBERED = 500;

/** What is wrong with a parameter beside others, or because it is missing. */
export interface JointFault extends ValueFault {
  readonly parameter: string;
}

interface Operation<Parameters extends readonly Parameter[], Query> {
  readonly parameters: Parameters;
  /** Parameters of another operation, with the sentence that says where they belong. */
  readonly elsewhere?: { readonly parameters: readonly Parameter[]; readonly detail: string };
  /** Finds what is wrong with several parameters together. Texts may have faults of their own. */
  readonly checkTogether?: (texts: SentTexts) => readonly JointFault[];
  /** What a query in which nothing is wrong asks for. */
  readonly decide: (asked: Asked<Parameters>) => Query;
}

/** `Query` is what the operation is asked for. */
export class ParameterSet<
  const Parameters extends readonly Parameter[] = readonly Parameter[],
  Query = unknown,
> {
  readonly parameters: Parameters;
  readonly names: readonly string[];
  private readonly operation: Operation<Parameters, Query>;
  private readonly byWrittenName: ReadonlyMap<string, Parameter>;
  private readonly elsewhere: ReadonlyMap<string, Parameter>;
  private readonly remembered = new BoundedMap<string, Query>(REMEMBERED_QUERIES);

  constructor(operation: Operation<Parameters, Query>) {
    this.operation = operation;
    this.parameters = operation.parameters;
    this.names = this.parameters.map(({ name }) => name);
    this.byWrittenName = byWrittenName(this.parameters);
    this.elsewhere = byWrittenName(operation.elsewhere?.parameters ?? []);
  }

  /**
   * What a query asks for.
   * @param query the text after `?`, as it was sent
   * @throws ProblemError invalid_parameters with every fault of the query
   */
  parse(query: string): Query {
    const known = this.remembered.get(query);
    if (known !== undefined) return known;
    const sent = readQuery(query, this.byWrittenName);
    const together = this.operation.checkTogether?.(sent.texts) ?? [];
    const isFine = this.parameters.every((each) => isRight(each, sent.texts.get(each.name)));
    if (!isFine || sent.unknown.size > 0 || together.length > 0) {
      throw this.problemOf(sent, together);
    }
    const asked = this.parameters.flatMap(({ name, array, read }) => {
      const texts = sent.texts.get(name) as readonly string[] | undefined;
      return texts ? [[name, array ? texts.map(read) : read(texts[0] as string)]] : [];
    });
    const decided = this.operation.decide(Object.fromEntries(asked));
    const isFleeting = this.parameters.some((each) =>
      sent.texts.get(each.name)?.some((text) => each.isFleeting?.(text ?? '')),
    );
    if (query.length <= LONGEST_REMEMBERED && !isFleeting) this.remembered.set(query, decided);
    return decided;
  }

  /** Every fault of a query: unknown parameters first, then parameter by parameter. */
  private problemOf({ texts, unknown }: SentQuery, together: readonly JointFault[]): ProblemError {
    const faults = new FaultList();
    for (const name of unknown) faults.add(name, () => this.explainUnknown(name), UNKNOWN);
    for (const parameter of this.parameters) {
      const { name } = parameter;
      const sent = texts.get(name) ?? [];
      if (isRepeated(parameter, sent)) {
        const detail = `Takes one value, got ${sent.length}.`;
        faults.add(name, () => ({ code: 'duplicate_parameter', detail }));
      }
      for (const text of parameter.array ? sent : new Set(sent)) addFault(faults, parameter, text);
      for (const fault of together) {
        if (fault.parameter === name) faults.add(name, () => fault);
      }
    }
    return faults.problem();
  }

  private explainUnknown(name: string): ValueFault {
    return { code: 'unknown_parameter', detail: this.detailOfUnknown(name) };
  }

  private detailOfUnknown(name: string): string {
    const { elsewhere } = this.operation;
    if (elsewhere && this.elsewhere.has(name)) return elsewhere.detail;
    const single = name.endsWith('[]') && this.byWrittenName.get(name.slice(0, -2));
    return single
      ? `${single.name} takes one value, not an array. Did you mean "${single.name}"?`
      : `There is no such parameter.${this.hintFor(name)}`;
  }

  /** Letters alone would lead astray: `lng` is closer to `lang` than to `position.longitude`. */
  private hintFor(name: string): string {
    const written = name.toLowerCase();
    const all = [...this.parameters, ...this.elsewhere.values()];
    const meant = all.filter(({ usualNames }) => usualNames?.includes(written));
    if (meant.length === 0) return suggestion(name, this.names);
    const here = meant.filter((each) => this.names.includes(each.name));
    if (here.length === 0) return '';
    const usages = here.flatMap(({ usage }) => (usage ? [` ${usage}`] : []));
    return ` Did you mean ${here.map((each) => `"${each.name}"`).join(' or ')}?${usages.join('')}`;
  }
}

/** By every name they may have in a query: `name`, and for arrays `name[]` too. */
function byWrittenName(parameters: readonly Parameter[]): ReadonlyMap<string, Parameter> {
  return new Map(
    parameters.flatMap((parameter): [string, Parameter][] => [
      [parameter.name, parameter],
      ...(parameter.array ? [[`${parameter.name}[]`, parameter] as [string, Parameter]] : []),
    ]),
  );
}

function isRight(parameter: Parameter, sent: readonly SentText[] = []): boolean {
  return !isRepeated(parameter, sent) && sent.every((text) => faultOf(parameter, text) === null);
}

function isRepeated({ array }: Parameter, sent: readonly SentText[]): boolean {
  return !array && sent.length > 1;
}

function faultOf({ check }: Parameter, text: SentText): string | null {
  if (text === null) return 'malformed_encoding';
  return text === '' ? 'empty_value' : check(text);
}

function addFault(faults: FaultList, parameter: Parameter, text: SentText): void {
  const code = faultOf(parameter, text);
  if (code === null) return;
  faults.add(parameter.name, () => {
    const detail = text ? parameter.explain(code, text) : explainNothing(text, parameter);
    return { code, detail };
  });
}

/** What is expected of a value that is empty, or null because it cannot be decoded. */
function explainNothing(text: SentText, { array }: Parameter): string {
  if (text === null) return 'Expected percent-encoded UTF-8.';
  return array ? 'Expected no empty item.' : 'Expected a value, got none.';
}
