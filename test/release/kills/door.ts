/**
 * The way of a publication to the stand-in of Cloudflare's API: it sees every request, and stops the
 * one at the moment of which the publication is to be killed, until that has heard of it or is gone.
 * What has been sent arrives all the same, a little later.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudflareStandIn } from '../../support/cloudflare/stand-in.ts';
import type { Report } from './control.ts';
import type { Moment, Side } from './kill-plan.ts';
import { isDecision, isTurn, PhaseWatch, type Step } from './phase-watch.ts';

/** Milliseconds that a request was still on its way when whoever sent it was stopped. */
const LATENESS = 300;

/** What the door does for the publication that runs now. */
interface Watch {
  readonly phases: PhaseWatch;
  readonly report: (report: Report) => void;
  readonly interrupted: Promise<void>;
  /** Whether that has heard so: what it sends from then on it sends all the same. */
  hasHeard: boolean;
}

export class Door {
  private readonly standIn: CloudflareStandIn;
  private readonly server: Server;
  private watch: Watch | null = null;
  private readonly underWay = new Set<Promise<unknown>>();

  private constructor(standIn: CloudflareStandIn) {
    this.standIn = standIn;
    this.server = createServer((incoming, response) => {
      const passing = this.pass(incoming, response)
        .catch((error) => response.destroy(error))
        .finally(() => this.underWay.delete(passing));
      this.underWay.add(passing);
    });
  }

  static async open(standIn: CloudflareStandIn): Promise<Door> {
    const door = new Door(standIn);
    door.server.listen(0, '127.0.0.1');
    await once(door.server, 'listening');
    return door;
  }

  /** The variables by which a publication takes this way. */
  get variables(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return Object.fromEntries(
      Object.entries(this.standIn.variables).map(([name, value]) => [
        name,
        value.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`),
      ]),
    );
  }

  /** Watches the next publication. @param interrupted when that has heard that it is to end */
  expect(moment: Moment, report: (report: Report) => void, interrupted: Promise<void>): void {
    const watch: Watch = { phases: new PhaseWatch(moment), report, interrupted, hasHeard: false };
    interrupted.then(() => {
      watch.hasHeard = true;
    });
    this.watch = watch;
  }

  /** Waits until everything has arrived. */
  async settle(): Promise<void> {
    await Promise.all(this.underWay);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const step = stepOf(incoming, body);
    this.watch?.report({ what: 'working' });
    if (step && isDecision(step) && this.watch?.hasHeard) this.watch.report({ what: 'disobeyed' });
    await this.stopAt(step, 'before', response);
    const answer = await this.forward(incoming, body);
    if (step && isTurn(step)) this.watch?.report({ what: 'turned' });
    await this.stopAt(step, 'after', response);
    if (response.destroyed) return;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  private async stopAt(step: Step | null, side: Side, { socket }: ServerResponse): Promise<void> {
    const { watch } = this;
    if (!step || !watch?.phases.meets(step, side)) return;
    const isGone = new Promise((resolve) => socket?.once('close', resolve));
    watch.report({ what: 'reached' });
    await Promise.race([watch.interrupted, isGone]);
    await sleep(side === 'before' ? LATENESS : 0);
  }

  private async forward({ method, url, headers }: IncomingMessage, body: Buffer) {
    const { port } = new URL(this.standIn.variables.CLOUDFLARE_API_BASE_URL);
    // The host as it was: it is signed.
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const status = answer.statusCode ?? 500;
    return { status, headers: answer.headers, body: await buffer(answer) };
  }
}

/** What a request asks of storage; null for what is of no interest here, such as lists. */
function stepOf({ method, url = '', headers }: IncomingMessage, body: Buffer): Step | null {
  const [, route = '', key = ''] =
    /\/(bulk\/get|bulk|values|s3\/[^/]+)(?:\/([^?]+))?$/.exec(url) ?? [];
  const keys = [decodeURIComponent(key)];
  switch (`${method} ${route.replace(/^s3.*/, 's3')}`) {
    case 'PUT bulk':
      return { verb: 'put', keys: readKeys(body) };
    case 'POST bulk/get':
      return { verb: 'get', keys: JSON.parse(body.toString()).keys };
    case 'GET values':
    case 'GET s3':
      return { verb: 'get', keys };
    case 'PUT s3':
      return { verb: headers['if-none-match'] === '*' ? 'create' : 'put', keys };
    case 'DELETE values':
    case 'DELETE s3':
      return { verb: 'delete', keys };
    default:
      return null;
  }
}

function readKeys(body: Buffer): string[] {
  return (JSON.parse(body.toString()) as { key: string }[]).map(({ key }) => key);
}
