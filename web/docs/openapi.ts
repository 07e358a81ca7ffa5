/** The parts of the OpenAPI document that pages show, with references followed. */
import { openApiDocument } from '../openapi/document.ts';

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
}

export interface Example {
  readonly summary?: string;
  readonly description?: string;
  readonly value: unknown;
}

interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface AnswerObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

/** What an operation answers with one status. */
export interface Answer {
  readonly status: string;
  readonly description: string;
  /** Their names. */
  readonly headers: readonly string[];
  readonly isJson: boolean;
  /** Undefined where it has no body. */
  readonly schema: Schema | undefined;
  readonly examples: readonly Example[];
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, AnswerObject>>;
}

/** An operation with nothing left to look up but schemas, which are shared. */
export interface Operation {
  readonly id: string;
  /** What its page is called. */
  readonly title: string;
  readonly description: string;
  readonly tag: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  readonly parameters: readonly Parameter[];
  readonly answers: readonly Answer[];
}

export interface DocumentObject {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Where the summary says what is read there: what is read here. */
const TITLES: Readonly<Record<string, string>> = {
  getOpenApi: 'OpenAPI document',
  getDocs: 'Documentation',
  getProblemPage: 'Page of a problem',
};

export class OpenApi {
  readonly document = openApiDocument() as unknown as DocumentObject;
  readonly operations: readonly Operation[] = Object.entries(this.document.paths).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => this.resolved(method, path, operation)),
  );

  /** What a reference leads to, with what stands beside the reference on top of it. */
  follow<Part extends object>(part: Part & { readonly $ref?: string }): Part {
    if (part.$ref === undefined) return part;
    const { $ref, ...beside } = part;
    return this.follow({ ...(this.lookUp($ref) as Part), ...beside } as Part);
  }

  private resolved(method: string, path: string, operation: OperationObject): Operation {
    const { operationId, summary, description, tags, security, parameters = [] } = operation;
    return {
      id: operationId,
      title: TITLES[operationId] ?? summary,
      description,
      tag: tags[0],
      method: method.toUpperCase(),
      path,
      // What says nothing of its own needs what the whole document asks for: a token.
      needsToken: security === undefined || security.length > 0,
      parameters: parameters.map((parameter) => this.follow(parameter)),
      answers: Object.entries(operation.responses).map(([status, answer]) =>
        answerOf(status, this.follow(answer)),
      ),
    };
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

function answerOf(status: string, { description, headers, content }: AnswerObject): Answer {
  const [type = '', media] = Object.entries(content ?? {})[0] ?? [];
  const one = media?.example === undefined ? [] : [{ value: media.example }];
  return {
    status,
    description,
    headers: Object.keys(headers ?? {}),
    isJson: type.includes('json'),
    schema: media?.schema,
    examples: [...one, ...Object.values(media?.examples ?? {})],
  };
}
