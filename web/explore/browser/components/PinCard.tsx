import { act } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { describeDistance, describeVerticales } from '../model/words.ts';
import { OpeningWords } from './OpeningHours.tsx';
import { Rating } from './Rating.tsx';

/** Shows what is at a pin: a name, a store in short, or several stores to choose from. */
export function PinCard({
  title,
  stores,
  onClose,
}: Readonly<{ title: string; stores: readonly FoundStore[]; onClose: () => void }>) {
  const [store, ...others] = stores;
  if (!store) {
    return (
      <p class="pin-name" dir="auto">
        {title}
      </p>
    );
  }
  return (
    <section
      class="pin-card"
      aria-label={title}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <h3 dir="auto">{title}</h3>
      <button type="button" class="close" aria-label="Close" onClick={onClose}>
        ×
      </button>
      {others.length === 0 ? <InShort {...store} /> : <Choice stores={stores} />}
    </section>
  );
}

const InShort = (store: FoundStore) => (
  <>
    <p>{describeVerticales(store.verticales, 3)}</p>
    <p class="facts">
      <OpeningWords of={store} />
      <span>{describeDistance(store.distance)}</span>
      {store.rating && <Rating {...store.rating} />}
    </p>
  </>
);

const Choice = ({ stores }: { readonly stores: readonly FoundStore[] }) => (
  <ul>
    {stores.map(({ id, name, verticales }) => (
      <li key={id}>
        <button type="button" onClick={() => act({ store: id })}>
          <span class="name" dir="auto">
            {name}
          </span>
          <span class="note">{describeVerticales(verticales, 2)}</span>
        </button>
      </li>
    ))}
  </ul>
);
