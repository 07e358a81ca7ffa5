/** The sources of the style and the script that all pages of the documentation share. */
export const DOCS_STYLE = 'web/docs/browser/docs.css';
export const DOCS_SCRIPT = 'web/docs/browser/docs.ts';
