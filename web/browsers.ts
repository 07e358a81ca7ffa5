/** The oldest browsers that pages are for: what they do not know of a style is written in another way. */
export const BROWSERS = ['chrome111', 'firefox115', 'safari16.4'];
