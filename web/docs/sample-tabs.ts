/** Code samples of an operation, one shown at a time. Radio buttons choose, so no script is needed. */
import { type Html, html } from '../html.ts';
import type { CodeSample } from './code-samples.ts';

export function sampleTabs(name: string, samples: readonly CodeSample[]): Html {
  const tabs = samples.map(
    (
      { key, label },
      index,
    ) => html`<input type="radio" name="sample-${name}" id="sample-${name}-${key}" value="${key}"${index === 0 ? html` checked` : ''}><label for="sample-${name}-${key}">${label}</label>
`,
  );
  const panels = samples.map(({ key, source }) => codeBlock(source, `sample ${key}`));
  return html`<fieldset class="samples">
<legend>Request in</legend>
${tabs}${panels}</fieldset>`;
}

/** Code to copy. It scrolls by itself, so the keyboard has to reach it. */
export function codeBlock(source: string, kind = ''): Html {
  return html`<div class="code ${kind}"><pre tabindex="0"><code>${source}</code></pre></div>
`;
}
