/** The examples of a page of Markdown: code to run, each with what it prints where the page shows that. */

export interface Example {
  readonly language: string;
  readonly source: string;
  /** The block after it, when that is no code; null: nothing is shown. */
  readonly shown: { readonly language: string; readonly text: string } | null;
}

/** Languages of blocks that are run. All others show what a block before them prints. */
const PROGRAMS = ['sh', 'ts', 'python', 'php'];

/** All blocks of code of `markdown`, in their order. */
export function examplesOf(markdown: string): readonly Example[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', source = '']) => ({ language, source }),
  );
  return blocks.flatMap(({ language, source }, index) => {
    if (!PROGRAMS.includes(language)) return [];
    const next = blocks[index + 1];
    const isShown = next !== undefined && !PROGRAMS.includes(next.language);
    return {
      language,
      source,
      shown: isShown ? { language: next.language, text: next.source } : null,
    };
  });
}

/** The one program in `language` that holds `mark`. */
export function exampleWith(markdown: string, language: string, mark: string): string {
  const found = examplesOf(markdown).filter(
    (example) => example.language === language && example.source.includes(mark),
  );
  if (found.length !== 1) throw new Error(`${found.length} examples in ${language} have ${mark}`);
  return (found[0] as Example).source;
}
