/** Checks the signature of a request to the stand-in, as R2 does. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { signRequest } from './s3-signature.ts';
import { refuse, type StandInAnswer, type StandInRequest } from './stand-in-answer.ts';

/** Milliseconds by which a request's time may differ from ours. */
const SKEW = 15 * 60_000;

interface Credentials {
  readonly accessKeyId: string;
  readonly token: string;
}

/** Why a request is refused; null when its signature is good. */
export function refuseSignature(
  { headers: sent, url: path = '/' }: IncomingMessage,
  { method, body }: StandInRequest,
  { accessKeyId, token }: Credentials,
  time: number,
): StandInAnswer | null {
  const url = new URL(path, `http://${sent.host}`);
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(sent.authorization ?? '') ?? [];
  const signedAt = String(sent['x-amz-date']).replace(
    /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  const now = Date.parse(signedAt);
  const headers = Object.fromEntries(
    names
      .split(';')
      .filter((name) => !['host', 'x-amz-date', 'x-amz-content-sha256'].includes(name))
      .map((name) => [name, String(sent[name])]),
  );
  const secretAccessKey = createHash('sha256').update(token).digest('hex');
  const keys = { accessKeyId, secretAccessKey };
  const signed = signRequest({ method, url, headers, body }, keys, { region: 'auto', now });
  if (signed.authorization !== sent.authorization) return refuseXml(403, 'SignatureDoesNotMatch');
  return Math.abs(time - now) > SKEW ? refuseXml(403, 'RequestTimeTooSkewed') : null;
}

export function refuseXml(status: number, code: string): StandInAnswer {
  return { ...refuse(status, 0, code), body: Buffer.from(`<Error><Code>${code}</Code></Error>`) };
}
