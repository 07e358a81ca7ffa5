/** Places that are not found by a name: where the user is, and degrees that are typed. */
import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { lookAround, state } from '../model/current.ts';
import { clampRadius, DEFAULT_RADIUS, MAX_RADIUS, roundDegrees } from '../model/state.ts';
import { Icon } from './Icon.tsx';

/** The inputs, and what they take. */
const NUMBERS = [
  { name: 'latitude', title: 'Latitude', min: -90, max: 90, example: '48.8566' },
  { name: 'longitude', title: 'Longitude', min: -180, max: 180, example: '2.3522' },
  { name: 'radius', title: 'Radius in km', min: 0, max: MAX_RADIUS, example: '20' },
] as const;

type NumberName = (typeof NUMBERS)[number]['name'];

/** Milliseconds that a browser may take to find out where it is. */
const MAX_LOCATING = 10_000;

/** The inputs that have no number that they take. */
const wrong = signal<readonly NumberName[]>([]);

const isLocating = signal(false);

/** What is wrong with the search: nothing is called so, or the position is not known. */
export const fault = signal('');

/** Shows a button that searches where the user is. */
export const NearMe = () => (
  <button
    type="button"
    id="near-me"
    title="Near me"
    aria-busy={isLocating.value || undefined}
    onClick={locate}
  >
    <Icon name="near" />
    <span>Near me</span>
  </button>
);

function locate(): void {
  isLocating.value = true;
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      isLocating.value = false;
      const latitude = roundDegrees(coords.latitude);
      const longitude = roundDegrees(coords.longitude);
      lookAround({ latitude, longitude, radius: DEFAULT_RADIUS, name: 'Your position' });
    },
    () => {
      isLocating.value = false;
      fault.value = 'Your position is not known: the browser may not tell it. Type a town instead.';
    },
    { timeout: MAX_LOCATING, maximumAge: 60_000 },
  );
}

/** Shows a form for a point, which begins with the point of the search. */
export function PlaceForm() {
  const shown = state.value.place ?? { latitude: '', longitude: '', radius: DEFAULT_RADIUS };
  return (
    <div id="advanced" popover="auto" role="dialog" aria-label="Around a point">
      <form
        key={JSON.stringify(shown)}
        id="advanced-form"
        autocomplete="off"
        noValidate
        onSubmit={submit}
      >
        <h2>Around a point</h2>
        {NUMBERS.map(({ name, title, min, max, example }) => {
          const isWrong = wrong.value.includes(name);
          return (
            <Fragment key={name}>
              <label for={name}>{title}</label>
              <input
                id={name}
                name={name}
                inputMode="decimal"
                placeholder={example}
                defaultValue={String(shown[name])}
                aria-describedby={`${name}-fault`}
                aria-invalid={isWrong || undefined}
              />
              <p id={`${name}-fault`} class="fault" role="alert">
                {isWrong && `${title} is a number from ${min} to ${max}.`}
              </p>
            </Fragment>
          );
        })}
        <button type="submit" class="main">
          Search there
        </button>
      </form>
    </div>
  );
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  const texts = new FormData(form);
  const numberOf = (name: NumberName) =>
    Number(String(texts.get(name)).trim().replace(',', '.') || Number.NaN);
  wrong.value = NUMBERS.flatMap(({ name, min, max }) =>
    min <= numberOf(name) && numberOf(name) <= max ? [] : name,
  );
  const [first] = wrong.value;
  if (first) {
    (form.elements.namedItem(first) as HTMLElement).focus();
    return;
  }
  document.getElementById('advanced')?.hidePopover();
  lookAround({
    latitude: numberOf('latitude'),
    longitude: numberOf('longitude'),
    radius: clampRadius(numberOf('radius')),
    name: null,
  });
}
