/** The style that all pages of the documentation share. */
export const DOCS_STYLE = 'web/docs/browser/docs.css';
