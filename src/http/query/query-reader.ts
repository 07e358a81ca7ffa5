/** Reads the query of an operation by its schema. */
import type { z } from 'zod';
import type { ParameterSet } from './parameter-set.ts';
import { readQuery, type SentQuery } from './query-text.ts';
import { refuse, type ShownQuery } from './refusal.ts';

/** Reads queries. `Query` is what one asks for, `Sent` what a typed client writes. */
export class QueryReader<Query, Sent> {
  /** From the parameters to what they ask for. */
  readonly schema: z.ZodType<Query, Sent>;
  private readonly declared: ParameterSet;

  /** @param schema begins with that of `declared` */
  constructor(declared: ParameterSet, schema: z.ZodType<Query, Sent>) {
    this.declared = declared;
    this.schema = schema;
  }

  /** Reads what `make` makes of what is asked for. */
  to<Made>(make: (query: Query) => Made): QueryReader<Made, Sent> {
    return new QueryReader(this.declared, this.schema.transform(make));
  }

  /** What is sent in a query. @param query the text after `?`, as it was sent */
  read(query: string): SentQuery {
    return readQuery(query, this.declared.byName);
  }

  /** @throws ProblemError invalid_parameters for what the schema found in what it was shown */
  refuse({ issues }: z.core.$ZodError, shown: ShownQuery): never {
    refuse(issues, shown, this.declared);
  }

  /**
   * What a query asks for.
   * @param query the text after `?`, as it was sent
   * @throws ProblemError invalid_parameters with every fault of the query
   */
  parse(query: string): Query {
    const sent = this.read(query);
    const { data, error } = this.schema.safeParse(sent);
    if (error) this.refuse(error, sent);
    return data as Query;
  }
}
