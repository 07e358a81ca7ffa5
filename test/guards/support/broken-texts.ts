/** Exports whose stores, names, texts or links are broken. */
import { generateStores } from '../../../fixtures/generator/store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import { type ExportCase, edit, edited, ofNext, share, texts } from './edited-exports.ts';

type Texts = SourceStore['profile']['description'];
type Localization = SourceStore['localization'];

/** Stores that no other seed makes. */
const FOREIGN = [...generateStores(400, { seed: 70_021, languages: 2 })].map((store) => ({
  ...store,
  slug: `${store.slug}-foreign`,
}));

const newId = (id: string) => `f${[...id.slice(1)].reverse().join('')}`;
const without = (name: string, part: number): ExportCase => ({
  name,
  change: (stores) => {
    const gone = share(stores, part);
    return stores.filter((store) => !gone.has(store));
  },
});

/** Every two neighbours among so many of the stores exchange a field. */
const exchanged = (name: string, part: number, field: 'id' | 'slug'): ExportCase => ({
  name,
  change: (stores) => {
    const pairs = [...share(stores, part)];
    const partners = new Map(pairs.map((store, index) => [store, pairs[index ^ 1] ?? store]));
    return stores.map((store) => ({ ...store, [field]: (partners.get(store) ?? store)[field] }));
  },
});

const STORES: readonly ExportCase[] = [
  { name: '400 foreign stores added', change: (stores) => [...stores, ...FOREIGN] },
  { name: '30 % foreign stores added', change: (stores) => [...stores, ...FOREIGN.slice(0, 120)] },
  { name: 'all stores foreign', change: () => [...FOREIGN] },
  {
    name: 'half of the stores once more under other ids',
    change: (stores) => [
      ...stores,
      ...edit(stores.slice(0, stores.length / 2), new Set(stores), [
        ['id', newId],
        ['slug', (slug: string) => `${slug}-2`],
      ]),
    ],
  },
  without('25 % of the stores removed', 0.25),
  without('90 % of the stores removed', 0.9),
  {
    name: 'the last third of the stores cut off',
    change: (stores) => stores.slice(0, (stores.length * 2) / 3),
  },
  {
    name: 'stores of the most common time zones removed',
    change: (stores) =>
      stores.filter(({ temporal }) => !/Berlin|Paris|London/.test(temporal.timezone)),
  },
  {
    name: 'stores without external reviews or delivery removed',
    change: (stores) =>
      stores.filter(({ reviews, modules }) => reviews.external && modules.delivery.enabled),
  },
  edited('all stores under new ids', 1, ['id', newId]),
  edited('half of the stores under new ids', 0.5, ['id', newId]),
  exchanged('slugs of 48 % swapped in pairs', 0.48, 'slug'),
  exchanged('ids of 48 % swapped in pairs', 0.48, 'id'),
  edited('slugs numbered', 1, ['slug', (slug: string) => `${slug}-1`]),
  edited('slugs of a third made of ids', 1 / 3, ['slug', (_, { store }) => `store-${store.id}`]),
  edited('slugs in capitals', 1, ['slug', (slug: string) => slug.toUpperCase()]),
];

const ESCAPES: readonly (readonly [RegExp, string])[] = [
  [/&/g, '&amp;amp;'],
  [/['’]/g, '&amp;#39;'],
  [/é/g, '&amp;eacute;'],
];
const escaped = (text: string) =>
  ESCAPES.reduce((result, [sign, by]) => result.replace(sign, by), text);

const windows1252 = new TextDecoder('windows-1252');
const misread = (text: string) => windows1252.decode(new TextEncoder().encode(text));
const accents = (by: string) => (text: string) => text.replace(/[^ -~]/g, by);
const name = (title: string, part: number, change: string | ((name: string) => string)) =>
  edited(title, part, ['profile.name', change]);

const NAMES: readonly ExportCase[] = [
  ...['NULL', 'null', 'undefined', 'NaN', '[object Object]', 'N/A', '', '   '].map((text) =>
    name(`the name of 4 % is "${text}"`, 0.04, text),
  ),
  name('names escaped twice', 1, (text) => `${escaped(text)} &amp;amp; Co.`),
  name('names of a tenth escaped', 0.1, (text) => `${text} &amp; Co.`),
  name('names of a tenth read in the wrong encoding', 0.1, (text) => misread(`Café ${text}`)),
  name('a quotation mark read in the wrong encoding', 0.1, (text) => misread(`${text}’s`)),
  name('names of a tenth with U+FFFD', 0.1, (text) => `Caf\uFFFD ${text}`),
  name('names begin with "undefined"', 0.05, (text) => `undefined ${text}`),
  name('names cut off', 1, (text) => text.slice(0, 6)),
  name('names of half in capitals', 0.5, (text) => text.toUpperCase()),
  name('one name for all', 1, 'Rent & Ride'),
  name('names are placeholders', 0.6, '{{store.name}}'),
  name('control characters in names', 0.3, (text) => `${text}\u0007`),
  name('escape sequences in names', 0.3, (text) => `\u001B[1m${text}\u001B[0m`),
  name('tags in names', 1, (text) => `<b>${text}</b>`),
  edited('names are slugs', 1, ['profile.name', (_, { store }) => store.slug]),
  edited('names of the next store', 1, ofNext('profile.name')),
];

const description = (title: string, part: number, change: string | ((text: string) => string)) =>
  edited(title, part, ['profile.description.*', change]);

const TEXTS: readonly ExportCase[] = [
  edited('all texts escaped twice', 1, ...texts(escaped)),
  edited('all texts read in the wrong encoding', 1, ...texts(misread)),
  edited('all texts with U+FFFD for accents', 1, ...texts(accents('\uFFFD'))),
  edited('all texts with question marks for accents', 1, ...texts(accents('?'))),
  edited('all texts without accents', 1, ...texts(accents(''))),
  edited('all texts of a tenth blank', 0.1, ...texts(() => ' ')),
  description('descriptions of 49 % emptied', 0.49, ''),
  description('descriptions of 4 % are "null"', 0.04, 'null'),
  description('descriptions of half are a placeholder', 0.5, 'Lorem ipsum dolor sit amet'),
  description('descriptions cut off', 1, (text) => text.slice(0, 20)),
  description('descriptions in quotes', 1, (text) => JSON.stringify({ text })),
  description('control characters in descriptions', 0.3, (text) => `\u000B${text}\u001F`),
  edited('descriptions equal', 1, ['profile.description', () => ({ en: 'Come and rent' })]),
  edited('descriptions of another language', 1, [
    'profile.description',
    (map: Texts) => {
      const [first, ...others] = Object.values(map);
      const turned = [...others, first];
      return Object.fromEntries(Object.keys(map).map((key, index) => [key, turned[index]]));
    },
  ]),
  edited('descriptions in the first language only', 1, [
    'profile.description',
    (map: Texts) => Object.fromEntries(Object.entries(map).slice(0, 1)),
  ]),
  edited('descriptions of the next store', 0.49, ofNext('profile.description')),
];

const LANGUAGE_CASES: readonly ExportCase[] = [
  edited('one language left', 1, [
    'localization.available',
    (_, { store }) => [store.localization.default],
  ]),
  edited('another default language', 1, [
    'localization',
    ({ available }: Localization) => ({ default: available.at(-1), available }),
  ]),
  edited('all stores in French', 1, ['localization', () => ({ default: 'fr', available: ['fr'] })]),
  edited('every language for all', 1, ['localization.available', LANGUAGES]),
];

const verticales = (title: string, change: (words: readonly string[]) => readonly string[]) =>
  edited(title, 1, ['profile.verticales', change]);

const VERTICALE_CASES: readonly ExportCase[] = [
  verticales('only the first verticale left', (words) => words.slice(0, 1)),
  verticales('bikes lost wherever there is another', (words) =>
    words.length > 1 ? words.filter((word) => word !== 'BIKE') : words,
  ),
  verticales('no skis any more', (words) => words.filter((word) => word !== 'SKI')),
  verticales('bikes are cars', (words) => [
    ...new Set(words.map((word) => (word === 'BIKE' ? 'CAR' : word))),
  ]),
  verticales('all verticales the same', () => ['CAR']),
  verticales('all have all verticales', () => VERTICALES),
  verticales('no verticales', () => []),
];

const url = (title: string, part: number, change: string | ((url: string) => string)) =>
  edited(title, part, ['pageUrl', change]);

const LINKS: readonly ExportCase[] = [
  url('page URLs equal', 1, 'https://rentals.example/stores'),
  url('page URLs of 49 % equal', 0.49, 'https://rentals.example/404'),
  url('page URLs lost to one host', 1, 'https://rentals.example/'),
  url('page URLs of another environment', 1, (text) => text.replace('rentals.', 'staging.')),
  url('page URLs without the slug', 1, (text) => text.slice(0, text.lastIndexOf('/'))),
  url('page URLs end in "undefined"', 1, (text) => text.replace(/[^/]*$/, 'undefined')),
  edited('page URLs of the next store', 1, ofNext('pageUrl')),
  edited('no social media', 1, ['contact.socialMedia.*', null]),
  edited('social media of 49 % blank', 0.49, ['contact.socialMedia.*', '']),
  edited('one social profile for all', 1, ['contact.socialMedia.*', 'https://social.example/us']),
  edited('social media of the next store', 1, ofNext('contact.socialMedia')),
  edited('no logos', 1, ['branding.logoURL', '']),
  edited('one logo for all', 1, ['branding.logoURL', 'https://images.example/logo.png']),
  edited('logos are "null"', 0.5, ['branding.logoURL', 'null']),
  edited('no banners', 1, ['branding.banners.urls', []]),
  edited('branding of the next store', 1, ofNext('branding')),
];

export const BROKEN_TEXTS: readonly ExportCase[] = [
  ...STORES,
  ...NAMES,
  ...TEXTS,
  ...LANGUAGE_CASES,
  ...VERTICALE_CASES,
  ...LINKS,
];
