/** The form of the search: shows a state, and tells what of it the user has changed. */
import type { Language, Verticale } from '../../../src/model/enumerations.ts';
import { debounce, find } from './dom.ts';
import {
  type Change,
  clampRadius,
  type ExploreState,
  FIRST_RADIUS,
  LARGEST_RADIUS,
  type OpeningMode,
  type SearchPosition,
  type Vocabulary,
} from './state.ts';

/** What latitude, longitude and radius may be. */
const RANGES = [
  [-90, 90],
  [-180, 180],
  [0, LARGEST_RADIUS],
] as const;

/** Milliseconds after the last key or pull before the search begins. */
const SETTLE = 250;

export interface SearchFormEvents {
  readonly onChange: (changed: Partial<ExploreState>) => void;
  readonly onSearchHere: () => void;
}

export class SearchForm {
  readonly vocabulary: Vocabulary;
  private readonly form = find('search-form', HTMLFormElement);
  private readonly latitude = find('latitude', HTMLInputElement);
  private readonly longitude = find('longitude', HTMLInputElement);
  private readonly radius = find('radius', HTMLInputElement);
  private readonly radiusNumber = find('radius-number', HTMLInputElement);
  private readonly lang = find('lang', HTMLSelectElement);
  private readonly sort = find('sort', HTMLSelectElement);
  private readonly direction = find('direction', HTMLSelectElement);
  private readonly opening = find('opening', HTMLSelectElement);
  private readonly at = find('at', HTMLInputElement);
  private readonly verticaleFilter = find('verticale-filter', HTMLSelectElement);
  private shownPosition = '';

  constructor({ onChange, onSearchHere }: SearchFormEvents) {
    this.vocabulary = {
      verticales: this.values('verticales'),
      languages: valuesOf(this.lang),
      sortFields: valuesOf(this.sort),
      fieldPaths: this.values('fields'),
    };
    const tell = debounce(SETTLE, () => onChange(this.read()));
    this.form.addEventListener('input', (event) => {
      if (event.target === this.radius) this.radiusNumber.value = this.radius.value;
      if (event.target !== find('find-field', HTMLInputElement)) tell();
    });
    this.form.addEventListener('submit', (event) => event.preventDefault());
    find('search-here', HTMLButtonElement).addEventListener('click', onSearchHere);
    find('clear-position', HTMLButtonElement).addEventListener('click', () =>
      onChange({ position: null }),
    );
    this.listenForFields();
  }

  /** Shows a state, but leaves alone what the user is typing. */
  show(state: ExploreState): void {
    const { position } = state;
    this.showPosition(position);
    this.lang.value = state.lang ?? '';
    const [field = '', direction] = state.sort?.split('__') ?? [];
    this.sort.value = field;
    this.direction.value = direction === 'desc' ? '__desc' : '__asc';
    this.direction.disabled = field === '';
    for (const option of this.sort.options) {
      if (option.value === 'distance') option.disabled = position === null;
    }
    this.opening.value = state.opening;
    find('at-label', HTMLLabelElement).hidden = state.opening === 'ignore';
    this.write(this.at, state.at === null ? '' : localTime(state.at));
    this.verticaleFilter.value = state.verticaleFilter;
    this.check('verticales', state.verticales);
    this.check('fields', state.fields);
    this.check('changes', state.changes);
    find('verticales-chosen', HTMLOutputElement).value = describeVerticales(state);
    const chosen = state.fields.length;
    find('fields-chosen', HTMLOutputElement).value =
      chosen === 0 ? 'what the page needs' : `${chosen} more`;
  }

  /** What is half typed, in whichever of the inputs, stays until there is another position. */
  private showPosition(position: SearchPosition | null): void {
    const { latitude = '', longitude = '', radius = FIRST_RADIUS } = position ?? {};
    const shown = [latitude, longitude, radius].join(' ');
    find('clear-position', HTMLButtonElement).disabled = position === null;
    if (shown === this.shownPosition) return;
    this.shownPosition = shown;
    this.write(this.latitude, String(latitude));
    this.write(this.longitude, String(longitude));
    this.write(this.radius, String(radius));
    this.write(this.radiusNumber, String(radius));
  }

  private read(): Partial<ExploreState> {
    const position = this.readPosition();
    const sort = this.sort.value;
    return {
      // What is half typed is no change yet.
      ...(position !== undefined && { position }),
      verticales: this.checked('verticales') as Verticale[],
      verticaleFilter: this.verticaleFilter.value as 'in' | 'notIn',
      lang: (this.lang.value || null) as Language | null,
      sort: sort === '' ? null : sort + this.direction.value,
      fields: this.checked('fields'),
      opening: this.opening.value as OpeningMode,
      at: this.at.value === '' ? null : new Date(this.at.value).getTime(),
      changes: this.checked('changes') as Change[],
    };
  }

  /** Undefined while it is incomplete or out of range; those inputs are marked. */
  private readPosition(): SearchPosition | null | undefined {
    const inputs = [this.latitude, this.longitude, this.radiusNumber] as const;
    const isEmpty = this.latitude.value === '' && this.longitude.value === '';
    const [latitude, longitude, radius] = inputs.map((input, place) => {
      const number = Number(input.value.replace(',', '.'));
      const [least = 0, most = 0] = RANGES[place] ?? [];
      const isGood = input.value.trim() !== '' && least <= number && number <= most;
      input.toggleAttribute('aria-invalid', false);
      if (!isGood && !isEmpty) input.setAttribute('aria-invalid', 'true');
      return isGood ? number : null;
    });
    if (isEmpty) return null;
    if (latitude == null || longitude == null || radius == null) return undefined;
    return { latitude, longitude, radius: clampRadius(radius) };
  }

  private listenForFields(): void {
    const search = find('find-field', HTMLInputElement);
    search.addEventListener('input', () => {
      const wanted = search.value.trim().toLowerCase();
      for (const box of this.form.querySelectorAll<HTMLInputElement>('.fields input')) {
        const label = box.closest('label');
        if (label) label.hidden = !box.value.toLowerCase().includes(wanted);
      }
    });
  }

  private write(input: HTMLInputElement, value: string): void {
    if (document.activeElement === input || input.value === value) return;
    input.value = value;
    input.removeAttribute('aria-invalid');
  }

  private boxes(name: string): HTMLInputElement[] {
    return [...this.form.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)];
  }

  private values(name: string): string[] {
    return this.boxes(name).map(({ value }) => value);
  }

  private checked(name: string): string[] {
    return this.boxes(name)
      .filter(({ checked }) => checked)
      .map(({ value }) => value);
  }

  private check(name: string, values: readonly string[]): void {
    for (const box of this.boxes(name)) box.checked = values.includes(box.value);
  }
}

function valuesOf(select: HTMLSelectElement): string[] {
  return [...select.options].map(({ value }) => value).filter((value) => value !== '');
}

function describeVerticales({ verticales, verticaleFilter }: ExploreState): string {
  if (verticales.length === 0) return 'anything';
  const words = verticales.length === 1 ? verticales[0] : `${verticales.length} kinds`;
  return verticaleFilter === 'in' ? `${words}` : `not ${words}`;
}

/** As an input of local time has it. */
function localTime(instant: number): string {
  const date = new Date(instant);
  return new Date(instant - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
