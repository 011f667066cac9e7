/**
 * Ends connections whose far end is gone although no end closed them, for example after a failover, or because a
 * firewall forgot them. TCP does not report it, and a statement's own limit has to be long. So if an answer is late,
 * the server is asked on a new connection about the state of the late one: if the server waits for the client, or does
 * not have the connection, the answer was lost. That connection is then ended, and every idle one with it, because they
 * took the same path.
 */
import type { Socket } from 'node:net';
import pg from 'pg';

const LOOK_EVERY_MS = 5_000;
/** The number of looks without any received bytes before the server is asked, and between two questions. */
const SILENT_LOOKS = 2;
const ASK_LIMIT_MS = 10_000;

/** The fields of a pg connection that its types do not declare. */
type Inner = {
  readonly processID: number | null;
  readonly readyForQuery: boolean;
};

type Seen = { bytesRead: number; looks: number };

type Answer = { readonly own: number; readonly pid: number | null; readonly state: string | null };

const QUESTION = `select pg_backend_pid() as own, pid, state
  from (select) as one left join pg_stat_activity on pid = any($1::int[])`;

export class SilenceWatch {
  /** The client class for a pool: its connections are watched. */
  readonly Client: typeof pg.Client;
  readonly #clients = new Map<pg.Client, Seen>();
  readonly #config: pg.ClientConfig;
  readonly #looking: NodeJS.Timeout;
  #isAsking = false;

  constructor(config: pg.ClientConfig, lookEveryMs = LOOK_EVERY_MS) {
    this.#config = { ...config, connectionTimeoutMillis: ASK_LIMIT_MS, query_timeout: ASK_LIMIT_MS };
    const clients = this.#clients;
    this.Client = class extends pg.Client {
      constructor(given?: string | pg.ClientConfig) {
        super(given);
        clients.set(this, { bytesRead: 0, looks: 0 });
        this.once('end', () => clients.delete(this));
      }
    };
    this.#looking = setInterval(() => void this.#look(), lookEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#looking);
  }

  /** Called after a connection was found to be dead. The pool removes an idle connection that breaks. */
  dropIdle(): void {
    for (const client of this.#clients.keys()) if (innerOf(client).readyForQuery) drop(client);
  }

  async #look(): Promise<void> {
    const late: pg.Client[] = [];
    for (const [client, seen] of this.#clients) {
      const { readyForQuery, processID } = innerOf(client);
      const { bytesRead } = streamOf(client);
      const isSilent = processID !== null && !readyForQuery && bytesRead === seen.bytesRead;
      seen.looks = isSilent ? seen.looks + 1 : 0;
      seen.bytesRead = bytesRead;
      if (seen.looks > 0 && seen.looks % SILENT_LOOKS === 0) late.push(client);
    }
    if (late.length === 0 || this.#isAsking) return;
    this.#isAsking = true;
    // A server that does not answer a new connection says nothing about the others.
    await this.#ask(late).catch(() => undefined);
    this.#isAsking = false;
  }

  async #ask(late: readonly pg.Client[]): Promise<void> {
    const heard = new Map(late.map((client) => [client, streamOf(client).bytesRead]));
    const asking = new pg.Client(this.#config);
    asking.on('error', () => undefined);
    let answers: readonly Answer[];
    try {
      await asking.connect();
      const pids = late.map((client) => innerOf(client).processID);
      answers = (await asking.query<Answer>(QUESTION, [pids])).rows;
    } finally {
      await asking.end().catch(() => undefined);
    }
    // A pooler between the client and the server invents its own numbers, so that they mean nothing here.
    if (answers[0]?.own !== innerOf(asking).processID) return;
    const states = new Map(answers.map(({ pid, state }) => [pid, state]));
    const lost = late.filter((client) => {
      const isStillSilent = !innerOf(client).readyForQuery && streamOf(client).bytesRead === heard.get(client);
      const { processID } = innerOf(client);
      return isStillSilent && (!states.has(processID) || states.get(processID)?.startsWith('idle'));
    });
    if (lost.length === 0) return;
    lost.forEach(drop);
    this.dropIdle();
  }
}

const innerOf = (client: pg.Client): Inner => client as unknown as Inner;
const streamOf = (client: pg.Client) => (client as pg.PoolClient).connection.stream as Socket;

function drop(client: pg.Client): void {
  streamOf(client).destroy(
    new Error(
      'Connection terminated: the database does not answer on it, or on one opened before; it answers on a new one.',
    ),
  );
}
