/** The parameters of an operation: their schema, and what is said of those it does not have. */
import { z } from 'zod';
import { suggestion } from './closest-word.ts';
import type { ValueFault } from './faults.ts';
import type { Parameter } from './parameter.ts';
import { usualNameHint } from './usual-names.ts';

/** Parameters of another operation, so that a request that uses one is told where it belongs. */
export interface Elsewhere {
  readonly parameters: readonly Parameter[];
  /** The sentence that says which operation takes them. */
  readonly detail: string;
}

/** The reader of each parameter by its name. */
type Shape<Parameters extends readonly Parameter[]> = {
  [Each in Parameters[number] as Each['name']]: Each['reader'];
};

/** The parameters of an operation. By `Parameters`, their declarations, the schema has its types. */
export class ParameterSet<const Parameters extends readonly Parameter[] = readonly Parameter[]> {
  readonly parameters: Parameters;
  readonly names: readonly string[];
  /** By every name they may have in a query: `name`, and for arrays `name[]` too. */
  readonly byName: ReadonlyMap<string, Parameter>;
  /** The same of another operation, and the sentence that says which. */
  private readonly elsewhere:
    | { readonly byName: ReadonlyMap<string, Parameter>; readonly detail: string }
    | undefined;

  constructor(parameters: Parameters, elsewhere?: Elsewhere) {
    this.parameters = parameters;
    this.names = parameters.map(({ name }) => name);
    this.byName = byWrittenName(parameters);
    this.elsewhere = elsewhere && {
      byName: byWrittenName(elsewhere.parameters),
      detail: elsewhere.detail,
    };
  }

  /** Takes these parameters and no others. */
  schema() {
    const shape = Object.fromEntries(this.parameters.map(({ name, reader }) => [name, reader]));
    return z.strictObject(shape as Shape<Parameters>);
  }

  /** What is wrong with a parameter that this set does not have. */
  explainUnknown(name: string): ValueFault {
    return { code: 'unknown_parameter', detail: this.detailOfUnknown(name) };
  }

  private detailOfUnknown(name: string): string {
    if (this.elsewhere?.byName.has(name)) return this.elsewhere.detail;
    const single = name.endsWith('[]') && this.byName.get(name.slice(0, -2));
    return single
      ? `${single.name} takes one value, not an array. Did you mean "${single.name}"?`
      : `There is no such parameter.${usualNameHint(name, this.names) ?? suggestion(name, this.names)}`;
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
