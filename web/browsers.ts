/**
 * The oldest browsers that pages are for, of spring 2024: the first that know popovers and `light-dark()`. What
 * they do not know of a style is written in another way.
 */
export const BROWSERS = ['chrome123', 'firefox125', 'safari17.5'];
