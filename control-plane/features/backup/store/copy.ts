/** PostgreSQL's COPY over a connection of pg, which parses its messages but has no function for it. Rows are in text format. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

/** The parts of a connection of pg that speak COPY. */
type CopyConnection = {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
  readonly stream: NodeJS.WritableStream & { readonly writableNeedDrain: boolean; pause(): void; resume(): void };
};

/** The methods that pg calls while a statement is in progress. */
abstract class Copy {
  readonly #text: string;
  protected connection: CopyConnection | undefined;
  /** The number of rows that the server reports. */
  rows = 0;

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: CopyConnection): void {
    this.connection = connection;
    connection.query(this.#text);
  }
  handleCommandComplete(message: { readonly text: string }): void {
    this.rows = Number(message.text.split(' ')[1]);
  }
  handleCopyData(_message: { readonly chunk: Buffer }): void {
    throw new Error('rows came out of a COPY FROM');
  }
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFail('rows were asked for, not offered');
  }
  abstract handleError(error: Error): void;
  abstract handleReadyForQuery(): void;
}

const submit = (client: pg.Client, copy: Copy): void => void client.query(copy as unknown as pg.Submittable);

/** `sql`: COPY … TO STDOUT. The promise resolves with the number of rows. */
export function copyOut(client: pg.Client, sql: string): { readonly data: Readable; rows(): number } {
  class Out extends Copy {
    readonly data = new Readable({ highWaterMark: 1 << 20, read: () => this.connection?.stream.resume() });
    override handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
      // pg's parser reuses its buffer.
      if (!this.data.push(Buffer.from(chunk))) this.connection?.stream.pause();
    }
    handleError(error: Error): void {
      this.data.destroy(error);
    }
    handleReadyForQuery(): void {
      this.data.push(null);
    }
  }
  const out = new Out(sql);
  submit(client, out);
  return { data: out.data, rows: () => out.rows };
}

/** Settles when the stream takes more. Rejects if it ends before, because a connection that is gone never drains. */
async function drained(stream: CopyConnection['stream']): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(stream, 'close', { signal }).then(() => {
    throw new Error('the connection to the database ended');
  });
  try {
    await Promise.race([once(stream, 'drain', { signal }), ended]);
  } finally {
    // The other listener would stay on a connection that copies many tables.
    over.abort();
  }
}

/** `sql`: COPY … FROM STDIN. Returns the number of rows. */
export function copyIn(client: pg.Client, sql: string, data: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    class In extends Copy {
      #failed: Error | undefined;
      override handleCopyInResponse(connection: CopyConnection): void {
        void this.#send(connection);
      }
      async #send(connection: CopyConnection): Promise<void> {
        try {
          for await (const chunk of data) {
            if (this.#failed) return;
            connection.sendCopyFromChunk(chunk);
            if (connection.stream.writableNeedDrain) await drained(connection.stream);
          }
          connection.endCopyFrom();
        } catch (error) {
          this.#failed ??= error as Error;
          connection.sendCopyFail('the source failed');
        }
      }
      handleError(error: Error): void {
        this.#failed ??= error;
        reject(this.#failed);
      }
      handleReadyForQuery(): void {
        resolve(this.rows);
      }
    }
    submit(client, new In(sql));
  });
}
