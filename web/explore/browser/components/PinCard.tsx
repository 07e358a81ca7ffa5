import { act, storeOf } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { countHere, describeVerticales } from '../model/words.ts';
import { InShort } from './InShort.tsx';

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
  // A filter may have taken some out since.
  const choice = stores.filter(({ id }) => storeOf(id));
  const heading = others.length > 0 ? countHere(choice.length) : title;
  return (
    <section
      class="pin-card"
      aria-label={heading}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <h3 dir="auto">{heading}</h3>
      <button type="button" class="close" aria-label="Close" onClick={onClose}>
        ×
      </button>
      {others.length > 0 ? (
        <Choice stores={choice} />
      ) : (
        <>
          <p>{describeVerticales(store.verticales, 3)}</p>
          <InShort {...store} />
        </>
      )}
    </section>
  );
}

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
