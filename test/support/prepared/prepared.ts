/** Something that was prepared for all test files. */
export interface Prepared<Value> {
  /** What tests get of it, as JSON. */
  readonly value: Value;
  end(): Promise<void>;
}
