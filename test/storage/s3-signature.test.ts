/** The stand-in's own reckoning of signatures, by the examples of AWS's documentation. */
import { describe, expect, it } from 'vitest';
import { encodeS3, signRequest } from '../support/cloudflare/s3-signature.ts';

const EXAMPLE = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const SCOPE = { region: 'us-east-1', now: Date.parse('2013-05-24T00:00:00Z') };
const BUCKET = 'https://examplebucket.s3.amazonaws.com';

function signatureOf(path: string, headers: Record<string, string> = {}): string | undefined {
  const request = { method: 'GET', url: new URL(BUCKET + path), headers, body: null };
  return signRequest(request, EXAMPLE, SCOPE).authorization?.split('Signature=')[1];
}

describe('a signature', () => {
  it('of an object is that of the example', () => {
    expect(signatureOf('/test.txt', { range: 'bytes=0-9' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  it('of a list is that of the example', () => {
    expect(signatureOf('/?max-keys=2&prefix=J')).toBe(
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    );
  });
});

describe('a signature by another secret, or of another day', () => {
  const sign = (credentials: typeof EXAMPLE, now: number) => {
    const request = { method: 'GET', url: new URL(`${BUCKET}/a`), headers: {}, body: null };
    return signRequest(request, credentials, { ...SCOPE, now }).authorization;
  };
  const other = { ...EXAMPLE, secretAccessKey: 'another' };
  const day = 24 * 3600_000;

  it('is another one, whatever was signed before', () => {
    const all = () => [
      sign(EXAMPLE, SCOPE.now),
      sign(other, SCOPE.now),
      sign(EXAMPLE, SCOPE.now + day),
    ];
    const signatures = all();
    expect(new Set(signatures.map((each) => each?.split('Signature=')[1])).size).toBe(3);
    expect(all().reverse()).toEqual(signatures.reverse());
    expect(sign(EXAMPLE, SCOPE.now)).toBe(signatures[2]);
  });
});

describe('a path', () => {
  it('has everything encoded that S3 wants encoded', () => {
    expect(encodeS3("a b/ü!'()*~-._")).toBe('a%20b%2F%C3%BC%21%27%28%29%2A~-._');
  });
});
