/** The parameters of an operation: reads its queries, and says what is wrong with one. */
import { BoundedMap } from '../cache/bounded-map.ts';
import type { ParameterFault } from '../problem.ts';
import { suggestion } from './closest-word.ts';
import { FaultList, UNKNOWN } from './faults.ts';
import type { Asked, Parameter, Refuse } from './parameter.ts';
import { readQuery, type SentText, type SentTexts } from './query-text.ts';

/** Queries remembered per operation: partners ask the same few again and again. */
const REMEMBERED_QUERIES = 500;

/** Longer texts are not remembered, so that few entries never take much memory. */
const LONGEST_REMEMBERED = 500;

interface Operation<Parameters extends readonly Parameter[], Query> {
  readonly parameters: Parameters;
  /** Parameters of another operation, with the sentence that says where they belong. */
  readonly elsewhere?: { readonly parameters: readonly Parameter[]; readonly detail: string };
  /** Finds what is wrong with several parameters together. Texts may have faults of their own. */
  readonly checkTogether?: (texts: SentTexts) => readonly ParameterFault[];
  /** What a query in which nothing is wrong asks for. */
  readonly decide: (asked: Asked<Parameters>) => Query;
}

/** `Query` is what the operation is asked for. */
export function parameterSet<const Parameters extends readonly Parameter[], Query>({
  parameters,
  elsewhere,
  checkTogether,
  decide,
}: Operation<Parameters, Query>) {
  const names: readonly string[] = parameters.map(({ name }) => name);
  const known = byWrittenName(parameters);
  const others = byWrittenName(elsewhere?.parameters ?? []);
  const remembered = new BoundedMap<string, Query>(REMEMBERED_QUERIES);

  /**
   * What a query asks for.
   * @param query the text after `?`, as it was sent
   * @throws ProblemError invalid_parameters with every fault of the query
   */
  function parse(query: string): Query {
    const before = remembered.get(query);
    if (before !== undefined) return before;
    const { texts, unknown } = readQuery(query, known);
    const together = checkTogether?.(texts) ?? [];
    const faults = new FaultList();
    for (const name of unknown) {
      faults.add(name, 'unknown_parameter', () => explainUnknown(name), UNKNOWN);
    }
    const asked = parameters.flatMap((parameter) => {
      const { name, array } = parameter;
      const sent = texts.get(name);
      const values = sent && readTexts(parameter, sent, faults);
      for (const fault of together) {
        if (fault.parameter === name) faults.add(name, fault.code, () => fault.detail);
      }
      return values ? [[name, array ? values : values[0]]] : [];
    });
    faults.expectNone();
    const decided = decide(Object.fromEntries(asked) as Asked<Parameters>);
    const isFleeting = parameters.some((each) =>
      texts.get(each.name)?.some((text) => each.isFleeting?.(text ?? '')),
    );
    if (query.length <= LONGEST_REMEMBERED && !isFleeting) remembered.set(query, decided);
    return decided;
  }

  function explainUnknown(name: string): string {
    if (elsewhere && others.has(name)) return elsewhere.detail;
    const single = name.endsWith('[]') && known.get(name.slice(0, -2));
    return single
      ? `${single.name} takes one value, not an array. Did you mean "${single.name}"?`
      : `There is no such parameter.${hintFor(name)}`;
  }

  /** Letters alone would lead astray: `lng` is closer to `lang` than to `position.longitude`. */
  function hintFor(name: string): string {
    const written = name.toLowerCase();
    // Some are of both.
    const all = new Set([...parameters, ...others.values()]);
    const meant = [...all].filter(({ usualNames }) => usualNames?.includes(written));
    if (meant.length === 0) return suggestion(name, names);
    const here = meant.filter((each) => names.includes(each.name));
    if (here.length === 0) return '';
    const usages = here.flatMap(({ usage }) => (usage ? [` ${usage}`] : []));
    return ` Did you mean ${here.map((each) => `"${each.name}"`).join(' or ')}?${usages.join('')}`;
  }

  return { parameters, names, parse };
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

/** The values of a parameter; null for each text in which something is wrong. */
function readTexts(parameter: Parameter, sent: readonly SentText[], faults: FaultList): unknown[] {
  const { name, array } = parameter;
  let texts = sent;
  if (!array && sent.length > 1) {
    faults.add(name, 'duplicate_parameter', () => `Takes one value, got ${sent.length}.`);
    texts = [...new Set(sent)];
  }
  const refuse: Refuse<string> = (code, explain) => faults.add(name, code, explain);
  return texts.map((text) => readText(parameter, text, refuse));
}

function readText({ array, read }: Parameter, text: SentText, refuse: Refuse<string>): unknown {
  if (text === null) return refuse('malformed_encoding', () => 'Expected percent-encoded UTF-8.');
  if (text !== '') return read(text, refuse);
  const detail = array ? 'Expected no empty item.' : 'Expected a value, got none.';
  return refuse('empty_value', () => detail);
}
