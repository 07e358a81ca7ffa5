/**
 * One keep-alive HTTP/1.1 connection with one request under way at a time.
 *
 * It does as little as a client can, so that on two cores the server is what is measured: requests
 * are bytes made beforehand, bodies are counted and thrown away unless they are asked for. For an
 * answer of 0.9 MB it takes 0.1 to 0.2 ms of CPU; undici takes 0.7 to 1.5 ms, as much as the service.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** Length of the body. */
  readonly bytes: number;
  /** Status line and headers. */
  readonly head: string;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly kept: Buffer[] | undefined;
}

const READ_BUFFER_BYTES = 256 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const WITHOUT_BODY = [204, 304];

export class Connection {
  private readonly socket: Socket;
  private waiting: Waiting | null = null;
  private partialHead = Buffer.alloc(0);
  /** The answer whose body is coming. */
  private answer: Answer | null = null;
  /** Bytes of it that are still to come. */
  private missing = 0;
  private fault: Error | null = null;

  private constructor(port: number) {
    const callback = (count: number, buffer: Uint8Array) => {
      this.take(buffer.subarray(0, count) as Buffer);
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES), callback };
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
    this.socket.on('close', () => this.fail(new Error('the server closed the connection')));
    this.socket.on('error', (error) => this.fail(error));
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await once(connection.socket, 'connect');
    return connection;
  }

  close(): void {
    this.socket.removeAllListeners('close').destroy();
  }

  /**
   * Sends a request and waits for the end of its answer.
   * @param kept takes the body; without it that is thrown away
   */
  send(request: Uint8Array, kept?: Buffer[]): Promise<Answer> {
    if (this.fault) return Promise.reject(this.fault);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject, kept };
      this.socket.write(request);
    });
  }

  private take(chunk: Buffer): void {
    const body = this.answer ? chunk : this.takeHead(chunk);
    // The buffer is read into again: what is kept is copied.
    this.waiting?.kept?.push(Buffer.from(body));
    this.missing -= body.length;
    const { answer, waiting } = this;
    if (!answer || this.missing > 0) return;
    this.answer = null;
    this.waiting = null;
    waiting?.resolve(answer);
  }

  /** Returns what `chunk` has of the body, behind the head. */
  private takeHead(chunk: Buffer): Buffer {
    const text = this.partialHead.length > 0 ? Buffer.concat([this.partialHead, chunk]) : chunk;
    const headEnd = text.indexOf(HEAD_END);
    this.partialHead = headEnd < 0 ? Buffer.from(text) : Buffer.alloc(0);
    if (headEnd < 0) return this.partialHead.subarray(text.length);
    const head = text.toString('latin1', 0, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
    const length = WITHOUT_BODY.includes(status) ? 0 : /\r\nContent-Length: (\d+)/.exec(head)?.[1];
    if (length === undefined) this.fail(new Error('the answer has no Content-Length'));
    this.missing = Number(length);
    this.answer = { status, bytes: this.missing, head };
    return text.subarray(headEnd + HEAD_END.length);
  }

  private fail(error: Error): void {
    this.fault ??= error;
    this.waiting?.reject(error);
    this.waiting = null;
  }
}

/** Sends one request over a connection of its own. Returns its whole answer. */
export async function ask(port: number, request: Uint8Array) {
  const connection = await Connection.open(port);
  const kept: Buffer[] = [];
  try {
    const answer = await connection.send(request, kept);
    return { ...answer, body: Buffer.concat(kept) };
  } finally {
    connection.close();
  }
}
