/** COPY FROM STDIN over a connection that goes away. */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import type pg from 'pg';
import t from 'tap';
import { copyIn } from './copy.ts';

type Started = Parameters<pg.Client['query']>[0] & {
  submit(connection: object): void;
  handleCopyInResponse(connection: object): void;
  handleError(error: Error): void;
};

t.test('rows are no longer read once the connection has ended, even if it never drained', async (t) => {
  const stream = new Writable({ highWaterMark: 1, write: () => undefined });
  const failures: string[] = [];
  const connection = {
    stream,
    query: () => undefined,
    sendCopyFromChunk: (chunk: Buffer) => stream.write(chunk),
    endCopyFrom: () => undefined,
    sendCopyFail: (why: string) => failures.push(why),
  };
  const reading = Promise.withResolvers<void>();
  const isOver = Promise.withResolvers<void>();
  async function* rows(): AsyncGenerator<Buffer> {
    try {
      reading.resolve();
      for (;;) yield Buffer.from('a row');
    } finally {
      isOver.resolve();
    }
  }
  let copy: Started | undefined;
  const client = { query: (started: Started) => (copy = started) } as unknown as pg.Client;
  const copied = copyIn(client, 'copy t from stdin', rows());
  copy!.submit(connection);
  copy!.handleCopyInResponse(connection);
  await reading.promise;
  while (stream.listenerCount('drain') === 0) await new Promise(setImmediate);
  const closed = once(stream, 'close');
  stream.destroy();
  await closed;
  await isOver.promise;
  copy!.handleError(new Error('Connection terminated'));
  await t.rejects(copied);
  t.same(failures, ['the source failed']);
  t.same([stream.listenerCount('drain'), stream.listenerCount('close')], [0, 0]);
});
