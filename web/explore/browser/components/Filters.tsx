/** The filters: chips and menus of boxes, which have the numbers of stores that they stand for. */
import { computed, signal } from '@preact/signals';
import {
  type Facet,
  LANGUAGES,
  VERTICALES,
  type Verticale,
} from '../../../../src/model/enumerations.ts';
import { filter, state } from '../model/current.ts';
import type { IconName } from '../model/icon-paths.ts';
import { hasFilters, NO_FILTERS } from '../model/state.ts';
import { count, languageName, VERTICALE_NAMES } from '../model/words.ts';
import { counting, countries } from '../service/inquiry.ts';
import { Icon } from './Icon.tsx';

/** Kinds of things to rent that are shown before the user asks for all. */
const MIN_KINDS = 4;

const { value: facets, isBusy, failure } = counting;

const showsAll = signal(false);

/** The first numbers that came: the kinds that are most frequent then come first, so that none moves afterwards. */
let first = facets.value;

const frequent = computed(() => {
  first ??= facets.value;
  const { verticales = {} } = first ?? {};
  const sorted = VERTICALES.toSorted((a, b) => (verticales[b] ?? 0) - (verticales[a] ?? 0));
  return sorted.slice(0, MIN_KINDS);
});

const kinds = computed(() => {
  const isShown = (kind: Verticale) =>
    showsAll.value || frequent.value.includes(kind) || state.value.verticales.includes(kind);
  return VERTICALES.filter(isShown);
});

export const Filters = () => (
  <fieldset
    id="filters"
    aria-label="Filters"
    tabIndex={-1}
    class={isBusy.value || failure.value ? 'stale' : ''}
  >
    <div class="chips">
      <label class="chip">
        <input
          type="checkbox"
          checked={state.value.isOpenNow}
          onChange={({ currentTarget }) => filter({ isOpenNow: currentTarget.checked })}
        />
        Open now
      </label>
      <Menu group="languages" name="Language" values={LANGUAGES} nameOf={languageName} />
      <Menu
        group="countries"
        name="Country"
        values={[...new Set([...countries.value, ...state.value.countries])]}
      />
    </div>
    <div class="chips">
      <fieldset id="verticales" aria-label="What they rent">
        {kinds.value.map((value) => (
          <Box
            key={value}
            group="verticales"
            value={value}
            name={VERTICALE_NAMES[value]}
            picture={value}
          />
        ))}
      </fieldset>
      {(showsAll.value || kinds.value.length < VERTICALES.length) && (
        <button
          type="button"
          class="chip"
          aria-controls="verticales"
          aria-expanded={showsAll.value}
          onClick={() => {
            showsAll.value = !showsAll.value;
          }}
        >
          {showsAll.value ? 'Fewer' : `${VERTICALES.length - kinds.value.length} more`}
        </button>
      )}
      {hasFilters(state.value) && (
        <button type="button" id="clear-filters" class="link" onClick={() => filter(NO_FILTERS)}>
          Clear filters
        </button>
      )}
    </div>
  </fieldset>
);

/** Shows a menu of boxes, whose button says which are ticked. */
function Menu({
  group,
  name,
  values,
  nameOf = String,
}: Readonly<{
  group: Facet;
  name: string;
  values: readonly string[];
  /** Of values that do not say it themselves. */
  nameOf?: (value: string) => string;
}>) {
  const [first, ...others] = state.value[group].map(nameOf);
  const more = others.length > 0 ? ` +${others.length}` : '';
  return (
    <>
      <button type="button" class="chip menu" id={`${group}-button`} popovertarget={group}>
        {first ? first + more : name}
      </button>
      <fieldset id={group} class="menu-boxes" popover="auto" aria-label={name}>
        {values.map((value) => (
          <Box key={value} group={group} value={value} name={nameOf(value)} />
        ))}
      </fieldset>
    </>
  );
}

/** Shows a box, one of which any number may be ticked. It is grey where no store has it, but can be ticked. */
function Box({
  group,
  value,
  name,
  picture,
}: Readonly<{
  group: Facet;
  value: string;
  name: string;
  /** Of those that are chips. */
  picture?: IconName;
}>) {
  const ticked: readonly string[] = state.value[group];
  const isTicked = ticked.includes(value);
  const number = facets.value && (facets.value[group]?.[value] ?? 0);
  return (
    <label class={`${picture ? 'chip' : ''} ${number === 0 && !isTicked ? 'none' : ''}`}>
      <input
        type="checkbox"
        value={value}
        checked={isTicked}
        onChange={() => {
          const others = ticked.filter((each) => each !== value);
          filter({ [group]: isTicked ? others : [...ticked, value] });
        }}
      />
      {picture && <Icon name={picture} />}
      <span class="name">{name}</span>{' '}
      <span class="count">{number === null ? '' : count(number)}</span>
    </label>
  );
}
