/** Checks the signature of a request to the stand-in, as R2 does. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AwsV4Signer } from 'aws4fetch';
import type { StandInAnswer, StandInRequest } from './stand-in-answer.ts';

/** Milliseconds by which a request's time may differ from ours. */
const SKEW = 15 * 60_000;

interface Credentials {
  readonly accessKeyId: string;
  readonly token: string;
}

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Why a request is refused; null when its signature is good. */
export async function refuseSignature(
  { headers: sent, url: path = '/' }: IncomingMessage,
  { method, body }: StandInRequest,
  { accessKeyId, token }: Credentials,
  time: number,
): Promise<StandInAnswer | null> {
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(sent.authorization ?? '') ?? [];
  const datetime = String(sent['x-amz-date']);
  const signed = await new AwsV4Signer({
    method,
    url: `http://${sent.host}${path}`,
    headers: names.split(';').map((name): [string, string] => [name, String(sent[name])]),
    accessKeyId,
    secretAccessKey: hashOf(token),
    service: 's3',
    region: 'auto',
    datetime,
  }).sign();
  const isSigned = signed.headers.get('authorization') === sent.authorization;
  if (!isSigned || sent['x-amz-content-sha256'] !== hashOf(body)) {
    return refuseXml(403, 'SignatureDoesNotMatch');
  }
  const signedAt = datetime.replace(/(.{4})(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z');
  return Math.abs(time - Date.parse(signedAt)) > SKEW
    ? refuseXml(403, 'RequestTimeTooSkewed')
    : null;
}

export function refuseXml(status: number, code: string): StandInAnswer {
  return { status, body: Buffer.from(`<Error><Code>${code}</Code></Error>`) };
}
