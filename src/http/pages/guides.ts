/** The guides for partners, by the last part of their paths, with their titles: in the order to read them. */
export const GUIDES = {
  'quick-start': 'Quick start',
  'near-a-place': 'Near a place',
  'keeping-a-copy': 'Keeping a copy',
  'opening-hours': 'Opening hours',
  attribution: 'Attribution',
  'errors-and-limits': 'Errors and limits',
  'deprecated-fields': 'Moving off the deprecated fields',
  versions: 'Versions',
  changelog: 'Changelog',
} as const;

export type GuideName = keyof typeof GUIDES;
