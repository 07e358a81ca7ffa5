import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Store } from '../../../../src/model/store.ts';
import { chosen, loading } from '../chosen-store.ts';
import { STORE_ZOOM } from '../map/zooms.ts';
import { addressOf, FIRST_STATE } from '../model/address.ts';
import { act } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { iconOf } from '../model/icon-paths.ts';
import {
  aboutFacts,
  bookingFacts,
  cancellationFacts,
  deliveryFacts,
  type Facts,
  paymentFacts,
} from '../model/terms.ts';
import { counted, describeVerticales, directionsTo } from '../model/words.ts';
import { Away } from './Away.tsx';
import { CopyButton } from './CopyButton.tsx';
import { FailureLine } from './FailureLine.tsx';
import { Icon } from './Icon.tsx';
import { InShort } from './InShort.tsx';
import { OpeningHours } from './OpeningHours.tsx';
import { RentalPoints } from './RentalPoints.tsx';
import { Reviews } from './Reviews.tsx';
import { focusRow } from './StoreList.tsx';

const NETWORKS = [
  ['socialA', 'Social network'],
  ['socialB', 'Microblog'],
  ['socialC', 'Photos'],
  ['socialD', 'Professional network'],
  ['socialE', 'Videos'],
] as const;

const close = (): void => act({ store: null });

/** Shows the chosen store over the list, and gives the focus back to its row afterwards. */
export function StoreDetail() {
  const { id, found, store } = chosen.value ?? {};
  useLayoutEffect(() => {
    if (!id) return;
    // Where the page scrolls instead of the list, the store stands at its top.
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('#detail h2')?.focus({ preventScroll: true });
    return () => {
      if (!chosen.value) focusRow(id);
    };
  }, [id]);
  if (!id) return null;
  return (
    <article
      key={id}
      id="detail"
      aria-label="Store"
      tabIndex={-1}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <button type="button" class="back" onClick={close}>
        <Icon name="back" />
        All stores
      </button>
      <div class="title">
        <Logo of={found ?? null} address={store?.branding.logoURL ?? ''} />
        <div>
          <h2 tabIndex={-1} dir="auto">
            {found?.name ?? 'Store'}
          </h2>
          {found && <p class="note">{describeVerticales(found.verticales, 16)}</p>}
        </div>
      </div>
      {store && found && <Contents store={store} found={found} />}
      {loading.failure.value ? (
        <FailureLine of={loading.failure.value} onRetry={loading.again} />
      ) : (
        loading.isBusy.value && <p class="note">Loading …</p>
      )}
    </article>
  );
}

/** Shows what shoppers ask, in the order in which most do. */
function Contents({ store, found }: Readonly<{ store: Store; found: FoundStore }>) {
  const { geo, localization, profile, reviews } = store;
  const lang = localization.current;
  const { id, name, point } = found;
  const view = point && { zoom: STORE_ZOOM, latitude: point.lat, longitude: point.lng };
  const link = new URL(addressOf({ ...FIRST_STATE, store: id, view }), location.href);
  return (
    <>
      <InShort {...found} />
      <p class="actions">
        <Away class="main button" to={store.pageUrl}>
          Visit page
        </Away>
        {point && (
          <Away class="button" to={directionsTo(point, name, navigator.userAgent)}>
            Directions
          </Away>
        )}
        <CopyButton name="Copy link" text={link.href} />
      </p>
      <FactList facts={[['Address', geo.location?.address || 'Not shown, as the store wishes']]} />
      <Description text={profile.description} lang={lang} />
      <h3>Opening hours</h3>
      <OpeningHours hours={store} />
      {geo.locations && geo.locations.length > 0 && (
        <>
          <h3>{counted(geo.locations.length, 'rental point')}</h3>
          <RentalPoints of={found} points={geo.locations} lang={lang} />
        </>
      )}
      <FactList title="Delivery" facts={deliveryFacts(store)} />
      <FactList title="Booking" facts={bookingFacts(store)} />
      <FactList title="Cancellation" facts={cancellationFacts(store)} />
      <FactList title="Payment" facts={paymentFacts(store, new Date())} />
      {reviews.external && <Reviews of={reviews.external} />}
      <FactList title="About the store" facts={aboutFacts(store)} />
      <Networks of={store} />
    </>
  );
}

/** Shows what is known by its name. */
const FactList = ({ title, facts }: Readonly<{ title?: string; facts: Facts }>) => (
  <>
    {title && <h3>{title}</h3>}
    <dl>
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
    </dl>
  </>
);

const Networks = ({ of }: { readonly of: Store }) => (
  <p class="facts">
    {NETWORKS.map(([kind, name]) => (
      <Away key={kind} to={of.contact.socialMedia[kind] ?? ''}>
        {name}
      </Away>
    ))}
  </p>
);

/** Shows the logo, or what the store rents while there is none. */
function Logo({ of, address }: Readonly<{ of: FoundStore | null; address: string }>) {
  const [failed, setFailed] = useState('');
  if (!/^https:/i.test(address) || failed === address) {
    return <span class="picture">{of && <Icon name={iconOf(of.verticales)} />}</span>;
  }
  return <img class="picture" alt="" src={address} onError={() => setFailed(address)} />;
}

/** Shows three lines, which unfold where that is not all. */
function Description({ text, lang }: Readonly<{ text: string; lang: string }>) {
  const [isUnfolded, setUnfolded] = useState(false);
  const [isLong, setLong] = useState(false);
  const shown = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const lines = shown.current;
    if (!lines || isUnfolded) return;
    const watch = new ResizeObserver(() => setLong(lines.scrollHeight > lines.clientHeight + 1));
    watch.observe(lines);
    return () => watch.disconnect();
  }, [isUnfolded]);
  if (text.trim() === '') return null;
  return (
    <>
      <p
        ref={shown}
        class={isUnfolded ? 'description unfolded' : 'description'}
        lang={lang}
        dir="auto"
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          class="link"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Read less' : 'Read more'}
        </button>
      )}
    </>
  );
}
