/** What the client makes of answers: tags, links, changes. */
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../client/src/index.ts';
import { BASE, open, page } from './support/client-stage.ts';

describe('tags', () => {
  const tagged = (docs: object[], etag: string) => () => page(docs, { etag });
  const unchanged = () =>
    new Response(null, { status: 304, headers: { 'x-snapshot-release': '8-abc' } });

  it('are sent back, and an unchanged answer is a fresh copy of the one before', async () => {
    const { directory, sent } = open([tagged([{ id: 'a' }], '"t"'), unchanged, unchanged]);
    const first = await directory.list({ fields: ['id'] });
    first.docs.length = 0;
    const second = await directory.list({ fields: ['id'] });
    expect(sent[1]?.headers.get('if-none-match')).toBe('"t"');
    expect(second).toEqual({ total: 1, docs: [{ id: 'a' }], release: '8-abc' });
    expect(await directory.list({ fields: ['id'] })).toEqual(second);
  });

  it('tell how words were read when an answer has not changed, too', async () => {
    const headers = { etag: '"t"', 'x-search-reading': 'close' };
    const { directory } = open([() => page([], headers), unchanged]);
    for (let request = 0; request < 2; request++) {
      expect((await directory.list({ q: 'marseile' })).reading).toBe('close');
    }
  });

  it.each([
    ['130 characters, those used last', 130, [null, null, '"0"', null, '"2"', null]],
    ['no characters', 0, Array(6).fill(null)],
  ])('are kept up to %s', async (_, keep, expected) => {
    const replies = Array.from({ length: 6 }, (_, number) =>
      tagged([{ id: 'x'.repeat(30) }], `"${number}"`),
    );
    const { directory, sent } = open(replies, { keep });
    // The answer in Dutch pushes out the one in English, which was used before the one in French.
    for (const lang of ['fr', 'en', 'fr', 'nl', 'fr', 'en'] as const)
      await directory.list({ lang });
    expect(sent.map(({ headers }) => headers.get('if-none-match'))).toEqual(expected);
  });
});

describe('a walk', () => {
  const link = (target: string) => ({ link: `<${target}>; rel="next"` });

  it('follows the links, and asks for their query alone', async () => {
    const { directory, sent } = open(
      [
        () => page([{ id: 'a' }], link('/v2/external/stores?after=a&limit=1')),
        () => page([{ id: 'b' }], link('https://elsewhere.test/other?after=b')),
        () => page([{ id: 'c' }], { link: '</docs>; rel="help"' }),
      ],
      { baseUrl: `${BASE}/proxy` },
    );
    const ids: string[] = [];
    for await (const store of directory.stores({ limit: 1 })) ids.push(store.id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ url }) => url.slice(`${BASE}/proxy/v2/external/stores`.length))).toEqual([
      ...['?limit=1', '?after=a&limit=1', '?after=b'],
    ]);
  });

  it('asks for no page before it is wanted', async () => {
    const { directory, sent } = open([
      () => page([{ id: 'a' }, { id: 'b' }], link('/v2/external/stores?after=b')),
    ]);
    for await (const { id } of directory.stores()) if (id === 'b') break;
    expect(sent).toHaveLength(1);
  });

  it('ends when a page leads to itself', async () => {
    const again = () => page([{ id: 'a' }], link('/v2/external/stores?after=a'));
    const { directory } = open([again, again]);
    const all = async () => {
      for await (const _ of directory.stores());
    };
    await expect(all()).rejects.toThrow(ConnectionError);
  });

  it('needs the names of releases', async () => {
    const { directory } = open([() => Response.json({ total: 0, docs: [] })]);
    await expect(directory.list()).rejects.toThrow('x-snapshot-release');
  });
});
