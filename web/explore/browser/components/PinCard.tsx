import { useEffect, useRef } from 'preact/hooks';
import { act } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { counted, describeDistance, describeVerticales } from '../model/words.ts';
import { OpeningWords } from './OpeningHours.tsx';
import { Rating } from './Rating.tsx';

interface Props {
  readonly stores: readonly FoundStore[];
  /** Whether it names them, and no more. */
  readonly isName: boolean;
  readonly onClose: () => void;
}

/** Shows what is at a pin: a name, a store in short, or several stores to choose from. */
export function PinCard({ stores, isName, onClose }: Props) {
  const [store, ...others] = stores;
  if (!store) return null;
  const title = others.length === 0 ? store.name : `${counted(stores.length, 'store')} here`;
  if (isName) {
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

/** Lists stores to choose from. Takes the focus, so that a key that has opened it goes on in it. */
function Choice({ stores }: { readonly stores: readonly FoundStore[] }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [stores]);
  return (
    <ul ref={list}>
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
}
