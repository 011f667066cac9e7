/** SIPp as caller or callee, and its own counts. Scenarios of ours are in sipp/. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freeUdpPort } from '../network/loopback.ts';
import { type Peer, startPeer, until } from '../process.ts';

/** Its watchdog would end it, including its calls, after a busy host has scheduled it late for a while. */
export const NO_WATCHDOG = ['-watchdog_interval', '0'] as const;

export type SippOptions = {
  readonly address: string;
  /** One of SIPp's own (`uas`, `uac`), or a file in sipp/. */
  readonly scenario: { readonly builtIn: string } | { readonly file: string };
  /** The `address:port` to call; absent: it waits for calls. */
  readonly target?: string;
  /** absent: a free one. */
  readonly port?: number;
  readonly args?: readonly string[];
  /** Files that the scenario names, such as audio. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
};

export type Sipp = Peer & {
  readonly uri: string;
  readonly port: number;
  /** The folder of its files. */
  readonly dir: string;
  /** Its message counters over time, a row each 200 ms; Unix time. */
  history(): Promise<{ readonly atMs: number; readonly messages: SippStatistics['messages'] }[]>;
  /** Lines that its scenario logged (-trace_logs). */
  logs(): Promise<string[]>;
  /** Ends it; its counts. */
  end(): Promise<SippStatistics>;
};

export type SippStatistics = {
  readonly exit: number | string;
  /** Cumulative counters of the last row, by SIPp's column names without `(C)`. */
  readonly totals: Readonly<Record<string, number>>;
  /** Messages of the scenario, `0_INVITE_Recv` and the like (-trace_counts). */
  readonly messages: Readonly<Record<string, number>>;
};

export async function startSipp(options: SippOptions): Promise<Sipp> {
  const { address, scenario, target, args = [], files = {} } = options;
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-sipp-'));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(dir, name), content);
  const port = options.port ?? (await freeUdpPort(address));
  const what =
    'builtIn' in scenario ? ['-sn', scenario.builtIn] : ['-sf', path.join(import.meta.dirname, 'sipp', scenario.file)];
  const peer = startPeer(
    'sipp',
    [
      ...(target === undefined ? [] : [target]),
      ...what,
      ...['-i', address, '-p', String(port), '-mi', address],
      ...['-trace_stat', '-fd', '200ms', '-trace_counts', '-trace_err', '-nostdin', ...NO_WATCHDOG],
      ...args,
    ],
    // SIPp without a terminal asks curses for one.
    { cwd: dir, env: { TERM: 'dumb' } },
  );
  // It opens its counts, then its socket, then its statistics: a scenario that does not load ends it immediately.
  let ended = false;
  void peer.exited.then(() => {
    ended = true;
  });
  await until('SIPp is up', async () => ended || (await has(dir, STATISTICS)));
  if (ended && target === undefined) throw new Error(`SIPp ended: ${peer.output().slice(-2000)}`);
  return {
    ...peer,
    uri: `sip:callee@${address}:${port}`,
    port,
    dir,
    async history() {
      await later(dir, () => ended);
      return (await table(dir, COUNTS)).map(({ CurrentTime, ...messages }) => ({
        atMs: 1000 * Number(CurrentTime?.split('\t')[2]),
        messages: numbers(messages),
      }));
    },
    async logs() {
      await later(dir, () => ended);
      return (await lines(dir, LOGS)).filter((line) => line !== '');
    },
    async end() {
      await later(dir, () => ended);
      // Its graceful end would wait for the calls that linger after their BYE.
      const exit = ended ? await peer.exited : await peer.stop('SIGKILL');
      const totals = cumulative(await lastRow(dir, STATISTICS));
      const messages = await lastRow(dir, COUNTS);
      await rm(dir, { recursive: true, force: true });
      return { exit, totals, messages };
    },
  };
}

const STATISTICS = /_\d+_\.csv$/;
const COUNTS = /_counts\.csv$/;
const LOGS = /_logs\.log$/;

const has = async (dir: string, pattern: RegExp): Promise<boolean> =>
  (await readdir(dir)).some((file) => pattern.test(file));

async function lines(dir: string, pattern: RegExp): Promise<string[]> {
  const name = (await readdir(dir)).find((file) => pattern.test(file));
  return name === undefined ? [] : (await readFile(path.join(dir, name), 'utf8')).split('\n');
}

/** Two more dumps: the first may have been in progress when the last message came. */
async function later(dir: string, hasEnded: () => boolean): Promise<void> {
  const dumped = (await dumps(dir)) + 2;
  await until('SIPp tells its figures', async () => hasEnded() || (await dumps(dir)) >= dumped);
}

const dumps = async (dir: string): Promise<number> => (await lines(dir, COUNTS)).length;

/** The complete lines of SIPp's `;`-separated file, by their columns' names. */
async function table(dir: string, pattern: RegExp): Promise<Record<string, string>[]> {
  const [head = '', ...rows] = await lines(dir, pattern);
  const keys = head.split(';');
  return rows.slice(0, -1).map((row) => {
    const values = row.split(';');
    return Object.fromEntries(keys.flatMap((key, i) => (key === '' ? [] : [[key, values[i] ?? '']])));
  });
}

const numbers = (row: Readonly<Record<string, string>>): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)]));

const lastRow = async (dir: string, pattern: RegExp): Promise<Record<string, number>> =>
  numbers((await table(dir, pattern)).at(-1) ?? {});

/** `SuccessfulCall(C)` as `SuccessfulCall`; the columns per period are omitted. */
const cumulative = (row: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) => (key.endsWith('(C)') ? [[key.slice(0, -3), value]] : [])),
  );
