/** Places that are not found by a name: where the user is, and degrees that are typed. */
import { signal } from '@preact/signals';
import { Fragment } from 'preact';
import { lookAround, state } from '../model/current.ts';
import { clampRadius, DEFAULT_RADIUS, MAX_RADIUS, roundDegrees } from '../model/state.ts';
import { Icon } from './Icon.tsx';

/** What the inputs take. */
const NUMBERS = {
  latitude: { title: 'Latitude', min: -90, max: 90, example: '48.8566' },
  longitude: { title: 'Longitude', min: -180, max: 180, example: '2.3522' },
  radius: { title: 'Radius in km', min: 0, max: MAX_RADIUS, example: '20' },
} as const;

type NumberName = keyof typeof NUMBERS;

const NAMES = Object.keys(NUMBERS) as NumberName[];

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
  const { latitude = '', longitude = '', radius = DEFAULT_RADIUS } = state.value.place ?? {};
  const shown = { latitude, longitude, radius };
  return (
    <div id="advanced" popover="auto" role="dialog" aria-label="Around a point">
      <form id="advanced-form" autocomplete="off" noValidate onSubmit={submit}>
        <h2>Around a point</h2>
        {NAMES.map((name) => {
          const { title, min, max, example } = NUMBERS[name];
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
                key={`${name} ${shown[name]}`}
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
  const values = { latitude: Number.NaN, longitude: Number.NaN, radius: Number.NaN };
  for (const name of NAMES) {
    const text = String(texts.get(name)).trim().replace(',', '.');
    if (text !== '') values[name] = Number(text);
  }
  wrong.value = NAMES.filter((name) => {
    const { min, max } = NUMBERS[name];
    return !(min <= values[name] && values[name] <= max);
  });
  const [first] = wrong.value;
  if (first) {
    (form.elements.namedItem(first) as HTMLElement).focus();
    return;
  }
  document.getElementById('advanced')?.hidePopover();
  lookAround({ ...values, radius: clampRadius(values.radius), name: null });
}
