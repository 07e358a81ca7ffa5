/** What scripts add to the pages of the documentation, which can be read without them. */
import '../../browser/token-control.ts';
import './field-filter.ts';
import { showOrigin } from './origin.ts';
import './tabs.ts';
import './try-it.ts';

showOrigin();
