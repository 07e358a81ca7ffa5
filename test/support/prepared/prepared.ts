/** Something that was prepared for all test files. */
export interface Prepared<Value> {
  /** What tests are told of it, as JSON. */
  readonly value: Value;
  end(): Promise<void>;
}
