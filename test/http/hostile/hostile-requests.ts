/**
 * Requests that nobody sends by mistake, and many that somebody might: made of the service's own
 * schemas and of noise, the same for the same seed. The tests send them to the Worker, the benchmark
 * looks for those that cost the most.
 */
import { Random } from '../../../fixtures/generator/random.ts';
import { CHANGES_PATH, HEALTH_PATH, LIST_PATH } from '../../../src/http/paths.ts';
import type { Parameter } from '../../../src/parameters/parameter.ts';
import {
  encode,
  HostileValues,
  type Known,
  LETTERS,
  LONGEST_TARGET,
  PRINTABLE,
} from './hostile-values.ts';
import {
  BAD_TOKENS,
  BROKEN_ENCODINGS,
  LOADED_NAMES,
  LOADED_VALUES,
  METHODS,
  ODD_HEADERS,
  OPEN_PATHS,
  PARAMETERS,
} from './vocabulary.ts';

export interface HostileRequest {
  readonly method: string;
  /** Path and query in printable ASCII, as they go over the wire. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

type Operation = keyof typeof PARAMETERS;

export class HostileRequests {
  private readonly random: Random;
  private readonly known: Known;
  private readonly values: HostileValues;

  constructor(seed: number, known: Known) {
    this.random = new Random(seed, 0);
    this.known = known;
    this.values = new HostileValues(this.random, known);
  }

  next(): HostileRequest {
    const { random } = this;
    const method = random.chance(0.92) ? 'GET' : random.pick(METHODS);
    const target = random.chance(0.85) ? this.ownTarget() : this.strangeTarget();
    return { method, target: target.slice(0, LONGEST_TARGET), headers: this.headers() };
  }

  /** A request for one of the operations, with a query that is wrong in one way or in many. */
  private ownTarget(): string {
    const { random } = this;
    const operation = random.pick<Operation>(['list', 'list', 'list', 'get', 'changes', 'health']);
    const path = this.pathOf(operation);
    const query = this.queryFor(PARAMETERS[operation]);
    return query === '' ? path : `${path}?${query}`;
  }

  private pathOf(operation: Operation): string {
    const { random, known } = this;
    if (operation === 'list') return LIST_PATH;
    if (operation === 'changes') return CHANGES_PATH;
    if (operation === 'health') return HEALTH_PATH;
    const names = random.pick([known.ids, known.slugs, LOADED_NAMES, LOADED_VALUES]);
    const name = random.chance(0.1) ? random.pick(BROKEN_ENCODINGS) : encode(random.pick(names));
    return `${LIST_PATH}/${name.replaceAll('/', '%2F')}`;
  }

  private queryFor(parameters: readonly Parameter[]): string {
    switch (this.random.weighted([4, 4, 2, 2, 1, 1, 1, 2])) {
      case 0:
        return this.pairs(parameters, 5, (parameter) => this.values.good(parameter.name));
      case 1:
        return this.pairs(parameters, 8, (parameter) => this.values.any(parameter.name));
      case 2:
        return this.misspelled(parameters);
      case 3:
        return this.costly(parameters);
      case 4:
        return this.manyItems(parameters);
      case 5:
        return this.repeated(parameters);
      case 6:
        return this.deepFields();
      default:
        return this.values.noise();
    }
  }

  /** Up to `most` parameters with a value each. */
  private pairs(
    parameters: readonly Parameter[],
    most: number,
    write: (parameter: Parameter) => string,
  ): string {
    const { random } = this;
    const chosen = random.sample(parameters, random.integer(0, most));
    return chosen.map((parameter) => `${parameter.name}=${write(parameter)}`).join('&');
  }

  /** Names that are almost those of parameters, as many as fit. */
  private misspelled(parameters: readonly Parameter[]): string {
    const { random } = this;
    const count = random.pick([1, 3, 30, 800]);
    return Array.from({ length: count }, () => {
      const name = random.chance(0.7)
        ? this.values.mutated(random.pick(parameters).name)
        : encode(random.pick(LOADED_NAMES));
      return `${name}=${random.chance(0.9) ? '1' : this.values.any(name)}`;
    }).join('&');
  }

  /** What is legal and takes the most work: whole pages, many fields, orders that nobody holds. */
  private costly(parameters: readonly Parameter[]): string {
    const { random } = this;
    const names = new Set(parameters.map(({ name }) => name));
    const isNear = names.has('position.radius') && random.chance(0.4);
    const wanted = ['fields', 'lang', 'since', 'until', 'rentalPointSlug'].filter(() =>
      random.chance(0.5),
    );
    if (names.has('since')) wanted.push('since');
    wanted.push('sort', random.pick(['verticale.in', 'verticale.notIn', 'skip', 'limit']));
    if (random.chance(0.2)) wanted.push('id.in');
    const pairs = [...new Set(wanted)]
      .filter((name) => names.has(name))
      .map((name) => `${name}=${this.values.good(name)}`);
    const near = `position.latitude=${random.decimal(35, 60, 3)}&position.longitude=${random.decimal(-9, 25, 3)}&position.radius=50`;
    return [...pairs, ...(isNear ? [near] : [])].join('&');
  }

  private manyItems(parameters: readonly Parameter[]): string {
    const { random } = this;
    const arrays = parameters.filter(({ array }) => array);
    if (arrays.length === 0) return this.repeated(parameters);
    const { name } = random.pick(arrays);
    const unit = random.pick([
      () => random.text(LETTERS, random.integer(1, 6)),
      () => this.values.mutated(this.values.good(name).split(',', 1).join()),
      () => this.values.good(name).split(',', 1).join(),
      () => '',
      () => '%3C',
      () => random.hex(24),
    ]);
    const count = random.pick([30, 300, 3_000]);
    return `${name}=${this.values.joined(count, ',', unit)}`;
  }

  /** One parameter again and again, in all ways to write it. */
  private repeated(parameters: readonly Parameter[]): string {
    const { random } = this;
    const { name } = random.pick(parameters);
    const count = random.pick([2, 20, 1_500]);
    return this.values.joined(count, '&', (index) => {
      const written = random.pick([name, `${name}[]`, `${name}%5B%5D`, `${name}[${index}]`]);
      return `${written}=${random.chance(0.5) ? index : this.values.good(name).split(',', 1).join()}`;
    });
  }

  private deepFields(): string {
    const { random } = this;
    const piece = random.pick(['.location', '.a', '.', '.profile.name', '.__proto__', '..', '.0']);
    const depth = random.pick([3, 25, 1_700]);
    const one = () => random.pick(['geo', 'profile', '', 'id']) + piece.repeat(depth);
    return `fields=${this.values.joined(random.pick([1, 5, 300]), ',', one)}`;
  }

  /** A path that is none of the operations, or is written strangely. */
  private strangeTarget(): string {
    const { random } = this;
    switch (random.weighted([3, 2, 2, 1, 1])) {
      case 0:
        return random.pick(OPEN_PATHS) + random.pick(['', '?', '?x=1', `?${this.values.noise()}`]);
      case 1:
        return `/${random.text(PRINTABLE, random.integer(0, 60))}`;
      case 2:
        return `${random.pick([LIST_PATH, '/docs/problems', '/files', '/v3'])}/${this.values.secret()}`;
      case 3:
        return `/${random.pick([...BROKEN_ENCODINGS, 'a/', '../', '//', '%2e%2e/', '&']).repeat(random.pick([1, 9, 3_000]))}`;
      default:
        return this.values.mutated(LIST_PATH);
    }
  }

  private headers(): HostileRequest['headers'] {
    const { random, known } = this;
    const headers = random.sample(ODD_HEADERS, random.pick([0, 0, 0, 1, 3]));
    if (random.chance(0.05))
      headers.push([
        'x-request-id',
        random.pick(['', 'x.']) + known.token + random.pick(['', '-1']),
      ]);
    if (random.chance(0.9)) return [...headers, ['x-access-token', known.token]];
    if (random.chance(0.3))
      return [...headers, ['x-api-key', known.token], ['x-access-token', random.pick(BAD_TOKENS)]];
    return [...headers, [random.pick(['x-access-token', 'x-api-key']), random.pick(BAD_TOKENS)]];
  }
}
