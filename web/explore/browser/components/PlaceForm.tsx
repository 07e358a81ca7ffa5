/** Places that are not found by a name: where the user is, and degrees that are typed. */
import { signal } from '@preact/signals';
import { lookAround, state } from '../model/current.ts';
import { clampRadius, FIRST_RADIUS, MAX_RADIUS, roundDegrees } from '../model/state.ts';
import { Icon } from './Icon.tsx';

/** What the inputs take. */
const NUMBERS = {
  latitude: { name: 'Latitude', min: -90, max: 90, example: '48.8566' },
  longitude: { name: 'Longitude', min: -180, max: 180, example: '2.3522' },
  radius: { name: 'Radius in km', min: 0, max: MAX_RADIUS, example: '20' },
} as const;

type NumberName = keyof typeof NUMBERS;

const NAMES = Object.keys(NUMBERS) as NumberName[];

/** Milliseconds that a browser may take to find out where it is. */
const PATIENCE = 10_000;

/** What is wrong with the inputs, by their names. */
const faults = signal<Partial<Record<NumberName, string>>>({});

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
      lookAround({ latitude, longitude, radius: FIRST_RADIUS, name: 'Your position' });
    },
    () => {
      isLocating.value = false;
      fault.value = 'Your position is not known: the browser may not tell it. Type a town instead.';
    },
    { timeout: PATIENCE, maximumAge: 60_000 },
  );
}

/** Shows a form for a point, which begins with the point of the search. */
export function PlaceForm() {
  const { latitude = '', longitude = '', radius = FIRST_RADIUS } = state.value.place ?? {};
  const shown = { latitude, longitude, radius };
  return (
    <div id="advanced" popover="auto" role="dialog" aria-label="Around a point">
      <form id="advanced-form" autocomplete="off" noValidate onSubmit={submit}>
        <h2>Around a point</h2>
        {NAMES.map((name) => (
          <>
            <label for={name}>{NUMBERS[name].name}</label>
            <input
              id={name}
              name={name}
              inputMode="decimal"
              placeholder={NUMBERS[name].example}
              defaultValue={String(shown[name])}
              key={`${name} ${shown[name]}`}
              aria-describedby={`${name}-fault`}
              aria-invalid={faults.value[name] ? true : undefined}
            />
            <p id={`${name}-fault`} class="fault" role="alert">
              {faults.value[name]}
            </p>
          </>
        ))}
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
  const values = { latitude: 0, longitude: 0, radius: 0 };
  const wrong: Partial<Record<NumberName, string>> = {};
  for (const name of NAMES) {
    const text = String(texts.get(name)).trim().replace(',', '.');
    const { name: title, min, max } = NUMBERS[name];
    values[name] = Number(text);
    const isGood = text !== '' && min <= values[name] && values[name] <= max;
    if (!isGood) wrong[name] = `${title} is a number from ${min} to ${max}.`;
  }
  faults.value = wrong;
  const first = NAMES.find((name) => wrong[name]);
  if (first) {
    (form.elements.namedItem(first) as HTMLElement).focus();
    return;
  }
  document.getElementById('advanced')?.hidePopover();
  lookAround({ ...values, radius: clampRadius(values.radius), name: null });
}
