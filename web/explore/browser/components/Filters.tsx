/** The filters: chips and menus of boxes, each with the number of stores that it would leave. */
import { computed, effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Verticale } from '../../../../src/model/enumerations.ts';
import { facets, filter, state } from '../model/current.ts';
import type { IconName } from '../model/icon-paths.ts';
import { hasFilters, NO_FILTERS } from '../model/state.ts';
import { count, LANGUAGE_NAMES, LANGUAGES, VERTICALE_NAMES, VERTICALES } from '../model/words.ts';
import { countries, isCounted } from '../service/inquiry.ts';
import { Icon } from './Icon.tsx';

/** Kinds of things to rent that are shown before the user asks for all. */
const FEW = 4;

type Group = 'verticales' | 'languages' | 'countries';

const showsAll = signal(false);

/** The numbers when the page began: the kinds that are most frequent then come first, so that none moves later. */
const first = signal(facets.value);

effect(() => {
  first.value ??= facets.value;
});

const frequent = computed(() => {
  const { verticales = {} } = first.value ?? {};
  const sorted = VERTICALES.toSorted((a, b) => (verticales[b] ?? 0) - (verticales[a] ?? 0));
  return sorted.slice(0, FEW);
});

const kinds = computed(() => {
  const isShown = (kind: Verticale) =>
    showsAll.value || frequent.value.includes(kind) || state.value.verticales.includes(kind);
  return VERTICALES.filter(isShown);
});

export const Filters = () => (
  <fieldset id="filters" aria-label="Filters" class={isCounted.value ? '' : 'stale'}>
    <div class="chips">
      <label class="chip">
        <input
          type="checkbox"
          id="open-now"
          checked={state.value.isOpenNow}
          onChange={({ currentTarget }) => filter({ isOpenNow: currentTarget.checked })}
        />
        Open now
      </label>
      <Menu id="languages" name="Language" chosen={state.value.languages.map(languageName)}>
        {LANGUAGES.map((value) => (
          <Box key={value} group="languages" value={value} name={LANGUAGE_NAMES[value]} />
        ))}
      </Menu>
      <Menu id="countries" name="Country" chosen={state.value.countries}>
        {[...new Set([...countries.value, ...state.value.countries])].map((value) => (
          <Box key={value} group="countries" value={value} name={value} />
        ))}
      </Menu>
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
      {hasFilters(state.value) && (
        <button type="button" id="clear-filters" class="link" onClick={() => filter(NO_FILTERS)}>
          Clear filters
        </button>
      )}
    </div>
  </fieldset>
);

const languageName = (language: keyof typeof LANGUAGE_NAMES): string => LANGUAGE_NAMES[language];

interface MenuProps {
  readonly id: string;
  readonly name: string;
  readonly chosen: readonly string[];
  readonly children: ComponentChildren;
}

/** Shows a menu, whose button says what is ticked in it. */
function Menu({ id, name, chosen: [first, ...others], children }: MenuProps) {
  const more = others.length > 0 ? ` +${others.length}` : '';
  return (
    <>
      <button
        type="button"
        class={first ? 'chip menu chosen' : 'chip menu'}
        id={`${id}-button`}
        popovertarget={`${id}-menu`}
      >
        {first ? first + more : name}
      </button>
      <div id={`${id}-menu`} class="menu-boxes" popover="auto">
        <fieldset id={id} aria-label={name}>
          {children}
        </fieldset>
      </div>
    </>
  );
}

interface BoxProps {
  readonly group: Group;
  readonly value: string;
  readonly name: string;
  /** Of those that are chips. */
  readonly picture?: IconName;
}

/** Shows a box, one of which any number may be ticked. It is grey where no store would be left, but can be ticked. */
function Box({ group, value, name, picture }: BoxProps) {
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
