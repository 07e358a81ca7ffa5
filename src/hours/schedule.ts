/** Opening hours of a store, as answers have them. */

export interface Schedule {
  /** Outside of the low season. */
  readonly openingHours: readonly ScheduleRow[];
  /** In the low season. */
  readonly openingHoursLowSeason: readonly ScheduleRow[];
  readonly lowSeasonRanges: readonly TimeRange[];
  readonly closedRanges: readonly TimeRange[];
}

export interface ScheduleRow {
  /** 0 = Sunday … 6 = Saturday, * = every day, beside the rows of a weekday. */
  readonly day: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '*';
  /** HH:mm, 24-hour. */
  readonly from: string;
  /** HH:mm, 24-hour; 23:59 is the end of the date, and a time not after `from` is on the next. */
  readonly to: string;
  readonly open: boolean;
}

/** Timestamps with `Z` or an offset, both included. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}
