/** The header in which a request says how many milliseconds have passed since the one before it. */
export const LATER_HEADER = 'x-test-later';
