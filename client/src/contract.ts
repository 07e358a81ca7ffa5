/**
 * The types of the contract, from the service's own model. What is packed has them written out, so
 * that it stands alone (scripts/client/contract-types.ts).
 */
export type { Language, Verticale } from '../../src/model/enumerations.ts';
export type { ParameterFault, ProblemCode } from '../../src/model/problem.ts';
export type { SortField } from '../../src/model/sort-fields.ts';
export type { Store } from '../../src/model/store.ts';
