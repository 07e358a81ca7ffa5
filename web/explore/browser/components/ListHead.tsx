/** What stands above the list: how much there is, in what order, and what went wrong or is left out. */
import { showAside } from '../camera.ts';
import {
  type Aside,
  act,
  aside,
  failure,
  found,
  isAsking,
  isOld,
  left,
  listed,
  searching,
  state,
} from '../model/current.ts';
import { countFilters, type Order, orderOf, ordersOf } from '../model/state.ts';
import { count, counted, describeFound } from '../model/words.ts';
import { isSmall } from '../sheet.ts';
import { FailureLine } from './FailureLine.tsx';
import { Filters } from './Filters.tsx';

const ORDER_NAMES: Readonly<Record<Order, string>> = {
  nearest: 'Nearest',
  fit: 'Best match',
  name: 'Name',
  rating: 'Rating and votes',
};

export const ListHead = () => (
  <>
    {!isSmall.value && <Filters />}
    <div class="list-head">
      <p id="status" role="status">
        {statusWords()}
      </p>
      {isSmall.value && <FilterSheet />}
      <OrderMenu />
    </div>
    {failure.value && <FailureLine of={failure.value} onRetry={searching.again} />}
    <Notes />
  </>
);

function statusWords(): string {
  if (isAsking.value) return 'Searching …';
  if (!found.value || isOld.value) return '';
  return describeFound(found.value, listed.value.length, state.value);
}

const OrderMenu = () => (
  <label
    class="note"
    title="By rating, few votes count less: each store has ten votes of the mean added to its own"
  >
    <span>Order</span>{' '}
    <select
      aria-label="Order"
      value={orderOf(state.value)}
      onChange={({ currentTarget }) => act({ order: currentTarget.value as Order })}
    >
      {ordersOf(state.value).map((order) => (
        <option key={order} value={order}>
          {ORDER_NAMES[order]}
        </option>
      ))}
    </select>
  </label>
);

/** Shows the filters on a phone: a sheet of their own. */
function FilterSheet() {
  const chosen = countFilters(state.value);
  return (
    <>
      <button
        type="button"
        class="chip"
        onClick={() => document.querySelector<HTMLDialogElement>('#filter-sheet')?.showModal()}
      >
        Filters{chosen > 0 && ` (${chosen})`}
      </button>
      <dialog id="filter-sheet" aria-label="Filters">
        <Filters />
        <form method="dialog">
          <button type="submit" class="main">
            {isAsking.value ? 'Show stores' : `Show ${counted(listed.value.length, 'store')}`}
          </button>
        </form>
      </dialog>
    </>
  );
}

/** Says what the list leaves out, each with the button that shows it. */
const Notes = () => (
  <div id="notes">
    <Note of="far" text={`${counted(left.value.far.length, 'store')} farther away`} action="show" />
    <Note
      of="unlocated"
      text={`${count(left.value.unlocated.length)} without an address`}
      action="list"
    />
  </div>
);

function Note({ of, text, action }: Readonly<{ of: Aside; text: string; action: string }>) {
  if (left.value[of].length === 0) return null;
  const isListed = aside.value === of;
  return (
    <p class="note">
      {text}:{' '}
      <button type="button" class="link" onClick={() => showAside(isListed ? null : of)}>
        {isListed ? 'back to the map' : action}
      </button>
    </p>
  );
}
