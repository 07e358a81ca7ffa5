/** An index part of a release: an object of which a table is made, when a request first needs it. */
export interface Part<Table = unknown> {
  /** In manifests. */
  readonly name: string;
  /**
   * Parts of one kind with the same bytes have one table, such as the ranks of languages that sort all
   * names alike. Others have tables of their own, as two small ones may have the same bytes.
   */
  readonly kind?: string;
  /** Makes the table of a part of so many stores. @throws SnapshotFormatError */
  read(part: ArrayBuffer, storeCount: number): Table;
}
