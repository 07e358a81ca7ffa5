/**
 * The limit: what any Worker could reach. It answers every request of the log with bytes of the
 * same length, the same status and the same headers, without looking at what was asked.
 *
 * A fresh array for each answer is the fastest way to send bytes from a Worker: an array that was
 * sent before costs about twice as much at a megabyte.
 */

interface ConstantAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bytes: number;
}

interface Env {
  /** By the number of the request in the log. */
  readonly ANSWERS: readonly ConstantAnswer[];
}

/** Says which request of the log this is. Every contender gets it; this one alone reads it. */
const NUMBER_HEADER = 'x-bench-request';

const LETTER_X = 'x'.charCodeAt(0);

let template = new Uint8Array(0);

export default {
  fetch(request, env) {
    const answer = env.ANSWERS[Number(request.headers.get(NUMBER_HEADER))];
    if (!answer) return new Response(null, { status: 404 });
    const { status, headers, bytes } = answer;
    if (template.length < bytes) template = new Uint8Array(bytes).fill(LETTER_X);
    const body = bytes === 0 ? null : template.slice(0, bytes);
    return new Response(body, { status, headers: headers as [string, string][] });
  },
} satisfies ExportedHandler<Env>;
