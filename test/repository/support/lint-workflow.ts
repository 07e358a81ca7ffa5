/**
 * Lints a workflow by the language service that GitHub keeps for its editors: the schema of workflows,
 * expressions and what they may name, jobs that wait for each other, schedules.
 */
import { registerHooks } from 'node:module';

/** What is wrong, with the line that it is in. */
export type Fault = readonly [line: number, message: string];

/** @param name of the file; a name is read once only, for the library keeps what it has parsed */
export async function lintWorkflow(name: string, text: string): Promise<Fault[]> {
  const { validate } = await loadLanguageService();
  const { TextDocument } = await import('vscode-languageserver-textdocument');
  const document = TextDocument.create(`file:///.github/workflows/${name}`, 'yaml', 1, text);
  const faults = await validate(document);
  return faults.map(({ range, message }) => [
    range.start.line + 1,
    typeof message === 'string' ? message : message.value,
  ]);
}

/** Its files import JSON without saying so, as bundlers allow and Node does not. */
async function loadLanguageService() {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(
        url,
        url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context,
      ),
  });
  try {
    return await import('@actions/languageservice');
  } finally {
    hooks.deregister();
  }
}
