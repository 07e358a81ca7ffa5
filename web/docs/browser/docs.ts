/** What scripts add to the pages of the documentation, which can be read without them. */
import { addCopyButtons } from './copy-buttons.ts';
import { followFilter } from './field-filter.ts';
import { showOrigin } from './origin.ts';
import { shareSampleLanguage } from './sample-language.ts';

showOrigin();
addCopyButtons();
shareSampleLanguage();
followFilter();
