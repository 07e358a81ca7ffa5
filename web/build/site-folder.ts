/** Where the pages lie once they are built. */
import { resolve } from 'node:path';

/** The folder of the project. */
export const PROJECT = resolve(import.meta.dirname, '../..');

/** Everything that building leaves behind; git ignores it. */
export const DIST_FOLDER = resolve(PROJECT, 'web/dist');

/** What the Worker serves: `directory` of the assets in wrangler.toml. */
export const SITE_FOLDER = resolve(DIST_FOLDER, 'site');

/** Says what the site was built from. */
export const STAMP_FILE = resolve(DIST_FOLDER, 'stamp');

/** Names the packages that are bundled into pages. */
export const PACKAGES_FILE = resolve(DIST_FOLDER, 'packages.json');

/** Where the guides for partners are, in the project. */
export const GUIDE_FOLDER = 'docs/guides';

/** A guide too: partners do not have the project. */
export const CHANGELOG_FILE = 'CHANGELOG.md';
