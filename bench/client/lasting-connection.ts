/** A connection for requests now and then: opened anew when the server has closed it meanwhile. */
import { type Answer, Connection, type WholeAnswer } from './connection.ts';

export class LastingConnection {
  private readonly port: number;
  private connection: Connection | null = null;

  constructor(port: number) {
    this.port = port;
  }

  /** Sends a request and waits for the end of its answer. */
  async send(request: Uint8Array): Promise<Answer> {
    return (await this.open()).send(request);
  }

  /** Sends a request and keeps the answer whole. */
  async fetch(request: Uint8Array): Promise<WholeAnswer> {
    return (await this.open()).fetch(request);
  }

  close(): void {
    this.connection?.close();
    this.connection = null;
  }

  private async open(): Promise<Connection> {
    if (!this.connection?.isOpen) this.connection = await Connection.open(this.port);
    return this.connection;
  }
}
