/**
 * The limit: what any Worker could reach. It answers every request with as many bytes as the
 * service does, with the same status and the same headers, without looking at what was asked.
 *
 * A fresh array for each answer is the fastest way to send bytes from a Worker: an array that was
 * sent before costs about twice as much at a megabyte. `new Response` copies it, so that its memory
 * can be given back at once.
 */
import { BYTES_HEADER, CASE_HEADER } from './limit-headers.ts';

interface ConstantAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

interface Env {
  /** By case. */
  readonly ANSWERS: Readonly<Record<string, ConstantAnswer>>;
}

const LETTER_X = 'x'.charCodeAt(0);

let template = new Uint8Array(0);

export default {
  fetch(request, env) {
    const answer = env.ANSWERS[request.headers.get(CASE_HEADER) ?? ''];
    if (!answer) return new Response(null, { status: 404 });
    const length = Number(request.headers.get(BYTES_HEADER));
    const { status, headers } = answer;
    const init = { status, headers: headers as [string, string][] };
    if (length === 0) return new Response(null, init);
    if (template.length < length) template = new Uint8Array(length).fill(LETTER_X);
    const body = template.slice(0, length);
    const response = new Response(body, init);
    body.buffer.transfer(0);
    return response;
  },
} satisfies ExportedHandler<Env>;
