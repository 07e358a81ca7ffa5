/** HTML from tagged templates. Inserted values are escaped, unless they are `Html` themselves. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Insertion = string | number | Html | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function html(texts: TemplateStringsArray, ...insertions: readonly Insertion[]): Html {
  return new Html(String.raw({ raw: texts }, ...insertions.map(render)));
}

function render(insertion: Insertion): string {
  if (insertion instanceof Html) return insertion.text;
  if (typeof insertion === 'object') return insertion.map(({ text }) => text).join('');
  return String(insertion).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
