/** The parts of the OpenAPI document that the reference shows, with references followed. */
import type { Site } from '../site.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary?: string;
  readonly description?: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Header {
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
}

/** An operation with nothing left to look up but schemas, which are shared. */
export interface Operation extends OperationObject {
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  readonly parameters: readonly Parameter[];
}

interface Tag {
  readonly name: string;
  readonly description?: string;
}

export interface DocumentObject {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly tags?: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export class OpenApi {
  readonly document: DocumentObject;
  readonly operations: readonly Operation[];

  constructor({ document }: Pick<Site, 'document'>) {
    this.document = document as unknown as DocumentObject;
    this.operations = Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => this.resolved(method, path, operation)),
    );
  }

  /** The named schema. @throws Error when the document has none of that name */
  schema(name: string): Schema {
    return this.lookUp(`#/components/schemas/${name}`) as Schema;
  }

  /** What a reference leads to, with what stands beside the reference on top of it. */
  follow<Part extends object>(part: Part & { readonly $ref?: string }): Part {
    if (part.$ref === undefined) return part;
    const { $ref, ...beside } = part;
    return this.follow({ ...(this.lookUp($ref) as Part), ...beside } as Part);
  }

  private resolved(method: string, path: string, operation: OperationObject): Operation {
    const answers = Object.entries(operation.responses).map(
      ([status, answer]) => [status, this.resolvedAnswer(answer)] as const,
    );
    return {
      ...operation,
      method: method.toUpperCase(),
      path,
      // What says nothing of its own needs what the whole document asks for: a token.
      needsToken: operation.security === undefined || operation.security.length > 0,
      parameters: (operation.parameters ?? []).map((parameter) => this.follow(parameter)),
      responses: Object.fromEntries(answers),
    };
  }

  private resolvedAnswer(answer: Answer): Answer {
    const whole = this.follow(answer);
    const headers = Object.entries(whole.headers ?? {}).map(
      ([name, header]) => [name, this.follow(header)] as const,
    );
    return { ...whole, headers: Object.fromEntries(headers) };
  }

  private lookUp(reference: string): unknown {
    let found: unknown = this.document;
    for (const step of reference.replace(/^#\//, '').split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      found = (found as Readonly<Record<string, unknown>> | undefined)?.[key];
    }
    if (found === undefined) throw new Error(`the document has nothing at ${reference}`);
    return found;
  }
}
