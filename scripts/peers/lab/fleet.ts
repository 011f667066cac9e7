/** Many enrolled agents on one host with only their links: the agent's own code, without SIP and media. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { uuidBytes } from '@carillon/proto/base/uuid.ts';
import { openIdentity } from '../../../agent/link/identity.ts';
import { Link } from '../../../agent/link/link.ts';
import type { Hello } from '../../../agent/link/link-options.ts';
import { Outbox } from '../../../agent/link/outbox.ts';
import { newJoinToken } from './carillon.ts';
import type { WorkerInput } from './provision.ts';

/** Results of one of them since the last start of the fleet. */
export type Standing = {
  /** Since the beginning; null: it has not been welcomed since. */
  welcomedMs: number | null;
  welcomes: number;
  /** How often there was no place, or no turn: it was told when to retry. */
  toldLater: number;
  /** Attempts without a server, or with a broken connection. */
  failed: number;
  /** The reason for which it was refused permanently. */
  refused: string | null;
};

const standing = (): Standing => ({
  welcomedMs: null,
  welcomes: 0,
  toldLater: 0,
  failed: 0,
  refused: null,
});

export class Fleet {
  readonly workers: readonly WorkerInput[];
  standings: readonly Standing[];
  readonly #tokens: readonly string[];
  readonly #links: Link[] = [];
  #beganMs = performance.now();

  /** `prefix`: of the workers' names. */
  constructor(count: number, prefix: string) {
    this.#tokens = Array.from({ length: count }, newJoinToken);
    this.workers = this.#tokens.map((joinToken, i) => ({ name: `${prefix}-${i + 1}`, joinToken }));
    this.standings = this.#tokens.map(standing);
  }

  /** All of them connect. `stateDir`: for their keys. */
  async open(controlPlaneUrl: string, stateDir: string): Promise<void> {
    const url = `${controlPlaneUrl.replace(/^http/, 'ws')}/agent/v1`;
    const identities = await Promise.all(this.#tokens.map((_, i) => openIdentity(path.join(stateDir, String(i + 1)))));
    this.begin();
    for (const [i, identity] of identities.entries()) this.#open(i, url, identity);
  }

  #open(i: number, url: string, identity: Awaited<ReturnType<typeof openIdentity>>): void {
    const own = (): Standing => this.standings[i] as Standing;
    const heard = (fields: unknown): void => {
      const { error, code } = fields as { error?: string; code?: string };
      if (code === 'BUSY' || error?.endsWith(' 503')) own().toldLater++;
      else if (error !== undefined) own().failed++;
    };
    const log = { debug: heard, info: () => undefined, warn: heard, error: heard } as never;
    const link = new Link({ url, identity, outbox: new Outbox(), log });
    this.#links[i] = link;
    const hello = helloOf(this.#tokens[i] as string);
    link.open({
      hello: () => hello,
      onWelcome: () => {
        const one = own();
        one.welcomes++;
        one.welcomedMs ??= performance.now() - this.#beganMs;
      },
      onCommand: () => undefined,
      onCommitted: () => undefined,
      onRefused: (code) => {
        own().refused = code;
      },
    });
  }

  /** Results are counted from now on. */
  begin(): void {
    this.#beganMs = performance.now();
    this.standings = this.standings.map(standing);
  }

  get online(): number {
    return this.#links.filter((link) => link.state === 'ONLINE').length;
  }

  /** How many were welcomed since the beginning. */
  get back(): number {
    return this.standings.filter(({ welcomes }) => welcomes > 0).length;
  }

  close(): void {
    for (const link of this.#links) link.close();
  }
}

/** As reported by an agent on a usual host. */
export const helloOf = (joinToken: string): Hello => ({
  joinToken,
  agentVersion: '1.0.0',
  bootId: uuidBytes(randomUUID()),
  sipListeners: [{ address: '127.0.0.1', port: 5060 }],
  sipAdapter: 'ffi',
  rtpAdapter: 'ffi',
  rtpPriority: 'SCHED_OTHER',
  audioCodecs: ['PCMU', 'PCMA', 'G722', 'OPUS'],
  videoCodecs: ['VP8', 'H264'],
  encryptions: ['NONE', 'SDES', 'DTLS'],
  mediaSources: ['TONE', 'SILENCE', 'FILE', 'PATTERN'],
  hostname: hostname(),
  cpus: 2,
  platform: 'linux x64 node 24.0.0',
  capacity: 100,
  streamCapacity: 200,
  limits: { own: 100, openFileStreams: 0, portStreams: 5000 },
  policy: { targetNetworks: ['10.0.0.0/8', '127.0.0.0/8'], maxCallsPerSecond: 10, maxEndpoints: 100 },
});
