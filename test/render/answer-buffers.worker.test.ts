/** The buffer of an answer is given back once the response has its copy, and only then. */
import { reset } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores, type Stage } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';

let stage: Stage;
let token: string;
let transfer: MockInstance<typeof ArrayBuffer.prototype.transfer>;

beforeEach(async () => {
  await publishStores(Array.from({ length: 30 }, (_, index) => buildStore(index + 1)));
  stage = openStage();
  token = await issueToken();
  transfer = vi.spyOn(ArrayBuffer.prototype, 'transfer');
});

afterEach(() => reset());

/** The buffers that were given back, none of which may be used any more. */
function givenBack(): number {
  const buffers = transfer.mock.contexts as ArrayBuffer[];
  expect(buffers.map(({ detached }) => detached)).toEqual(buffers.map(() => true));
  return buffers.length;
}

describe('the buffer of an answer', () => {
  it.each([`${LIST}?limit=100`, `${LIST}/store-3`, `${LIST}?limit=0`, `${LIST}?fields=id`])(
    'is given back, and the answer is whole: %s',
    async (path) => {
      const texts: string[] = [];
      for (let time = 0; time < 3; time++) {
        // Read after the next answer was made, which reuses what it can.
        const response = await stage.request(path, { token });
        await stage.request(`${LIST}/store-4`, { token });
        texts.push(await response.text());
      }
      expect(new Set(texts).size).toBe(1);
      expect(JSON.parse(texts[0] as string)).toBeTypeOf('object');
      expect(givenBack()).toBe(6);
    },
  );

  it('is given back of an answer to HEAD, whose length is that of the body', async () => {
    const whole = await (await stage.request(LIST, { token })).arrayBuffer();
    const response = await stage.request(LIST, { token, method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe(String(whole.byteLength));
    expect(await response.text()).toBe('');
    expect(givenBack()).toBe(2);
  });

  it.each<[number, string, object]>([
    [304, LIST, { headers: { 'if-none-match': '*' }, method: 'HEAD' }],
    [400, `${LIST}?limit=x`, {}],
    [404, `${LIST}/nobody`, {}],
    [200, '/healthz', {}],
    [200, '/openapi.json', {}],
    [302, '/', {}],
  ])('is not there to give where the body is none or text: %i %s %o', async (status, path, how) => {
    for (let time = 0; time < 2; time++) {
      const response = await stage.request(path, { token, ...how });
      expect(response.status).toBe(status);
      await response.text();
    }
    expect(givenBack()).toBe(0);
  });
});
