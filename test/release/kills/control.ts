/** Where a publication that is going to be killed reports to the test; `victim-trace.ts` does that. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What it reports. */
export type Report =
  /** It runs, as this process. */
  | { readonly what: 'started'; readonly pid: number }
  /** It has begun to work on storage. */
  | { readonly what: 'working' }
  /** The moment has come. */
  | { readonly what: 'reached' }
  /** A signal has come. */
  | { readonly what: 'interrupted' }
  /** It has begun to write an entry of the log after it had heard that it is to end. */
  | { readonly what: 'disobeyed' }
  /** It has written an entry of the log, or the pointer. */
  | { readonly what: 'turned' };

export class Control {
  /** Called for each report of the publication that runs now. */
  listener: (report: Report) => void = () => {};
  private readonly server: Server;

  private constructor() {
    this.server = createServer(async (request, response) => {
      this.listener((await json(request)) as Report);
      response.end();
    });
  }

  static async start(): Promise<Control> {
    const control = new Control();
    control.server.listen(0, '127.0.0.1');
    await once(control.server, 'listening');
    return control;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
