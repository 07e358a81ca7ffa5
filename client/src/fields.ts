/** What is left of a store when only some `fields` are asked for. */
import type { Store } from './contract.ts';

/** What objects, alone or in arrays, hold; null and undefined aside. */
type Inner<T> = T extends readonly (infer Element)[]
  ? Inner<Element>
  : T extends object
    ? T
    : never;

type PathOf<T> = {
  [Key in keyof T & string]-?:
    | Key
    | ([Inner<T[Key]>] extends [never] ? never : `${Key}.${PathOf<Inner<T[Key]>>}`);
}[keyof T & string];

/** A dotted path of the response, through arrays too: `profile.name`, `geo.locations.slug`. */
export type FieldPath = PathOf<Store>;

type Head<Path> = Path extends `${infer Key}.${string}` ? Key : Path;
type Tail<Path, Key extends string> = Path extends `${Key}.${infer Rest}` ? Rest : never;

/** What `Path` leaves of `T`: a path that ends somewhere has everything below it. */
type Cut<T, Path> = T extends readonly (infer Element)[]
  ? Cut<Element, Path>[]
  : T extends object
    ? {
        [Key in keyof T as Key extends Head<Path> ? Key : never]: Key extends Path
          ? T[Key]
          : Cut<T[Key], Tail<Path, Key & string>>;
      }
    : T;

type DeepPartial<T> = T extends readonly (infer Element)[]
  ? DeepPartial<Element>[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> }
    : T;

/**
 * A store with the fields of a list, and those that are always there. Without a list it is whole; of a list
 * that is only known when the program runs, any of its fields may be missing.
 */
export type SelectedStore<
  Fields extends readonly FieldPath[] | undefined,
  Always extends keyof Store = never,
> = Fields extends readonly FieldPath[]
  ? number extends Fields['length']
    ? DeepPartial<Cut<Store, Fields[number]>> & Pick<Store, Always>
    : Cut<Store, Always | Fields[number]>
  : Store;

/** A store in a copy: its id is always there, since that is what it is kept by. */
export type CopiedStore<Fields extends readonly FieldPath[] | undefined> = SelectedStore<
  Fields,
  'id'
>;
