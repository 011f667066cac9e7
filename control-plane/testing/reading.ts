/** Helpers for tests that read runs as REST does: requests through the catalogue, whole lists, runs with given ends. */
import type { Test } from 'tap';
import { CATALOGUE } from '../catalogue.ts';
import type { Input, KnownName, Output } from '../contract/catalogue.ts';
import type { Listed } from '../contract/envelope.ts';
import type { MessageChunkFact, ReportedOutcome, RtpHeaderFact, StreamFact } from '../domain/run/facts.ts';
import { HANDLERS } from '../handlers.ts';
import { admit, perform } from '../operations/request/perform.ts';
import {
  acme,
  allocationFacts,
  FakeAgent,
  inOneChunk,
  openWorld,
  outcomeFact,
  runningRun,
  TOKENS,
  type World,
} from './world.ts';

/** Like REST: strings as input, defaults filled in, every rule of the row applied. */
export type ReadQuery = Record<string, string | number>;
export type Run = Awaited<ReturnType<typeof runningRun>>;

/** The events and figures that one endpoint reports. */
export type Deeds = {
  readonly phases?: readonly (readonly [phase: number, unixMs: number])[];
  readonly outcome?: Partial<ReportedOutcome>;
  readonly messages?: readonly MessageChunkFact[];
  readonly rtpHeaders?: readonly RtpHeaderFact[];
};

type Packing = (chunks: readonly MessageChunkFact[]) => readonly MessageChunkFact[];

/** Every third endpoint's messages in a separate chunk, those of all others in one chunk for each address. */
export const inChunksOfMany: Packing = (chunks) =>
  [...Map.groupBy(chunks, ({ endpoint: [n = 0], localAddress }) => (n % 3 === 0 ? n : localAddress)).values()].map(
    inOneChunk,
  );

/** A world with two agents and a test of `calls` callers and as many callees. */
export async function openReading(t: Test, calls: number) {
  const world: World = await openWorld(t);
  await world.provision({ organizations: acme(calls, 1000).organizations });
  const agents = [new FakeAgent(world), new FakeAgent(world)] as const;
  for (const [i, agent] of agents.entries()) await agent.greet(TOKENS[i]);
  return {
    world,
    agents,
    /** One at a time: agents number their batches. */
    begin: (): Promise<Run> => runningRun(world, agents),
    /** Sends what each endpoint did, and ends the run unless told not to; `packed`: messages of an allocation, as they are sent. */
    async report(
      run: Run,
      of: (number: number) => Deeds,
      end = true,
      packed: Packing = (chunks) => chunks,
    ): Promise<void> {
      for (const [i, agent] of agents.entries()) {
        const allocations = (run.orders[i] ?? []).map(({ allocationId, endpoints }) => {
          const deeds = endpoints.number.map((n) => [n, of(n)] as const);
          const phases = deeds.flatMap(([n, d]) => (d.phases ?? []).map(([phase, unixMs]) => ({ n, phase, unixMs })));
          return allocationFacts(allocationId, {
            phases:
              phases.length === 0
                ? null
                : {
                    endpoint: phases.map((p) => p.n),
                    phase: phases.map((p) => p.phase),
                    unixMs: phases.map((p) => p.unixMs),
                  },
            outcomes: deeds.flatMap(([n, { outcome }]) => (outcome ? [outcomeFact(n, outcome)] : [])),
            messages: packed(deeds.flatMap(([, { messages }]) => messages ?? [])),
            rtpHeaders: deeds.flatMap(([, { rtpHeaders }]) => rtpHeaders ?? []),
            state: end ? 'DONE' : null,
          });
        });
        await agent.send({ allocations });
      }
      if (end) await world.work();
    },
  };
}

async function ask<N extends KnownName>(run: Run, name: N, more: ReadQuery): Promise<unknown> {
  const given = { projectId: run.projectId, testRunId: run.runId, ...more };
  const input = CATALOGUE[name].input.parse(given) as Input<N>;
  const { ports, actor } = run.context;
  const admission = await admit(ports, actor, name, (input as { projectId?: string }).projectId);
  return perform(HANDLERS, admission, run.context, input);
}

export const single = <N extends KnownName>(run: Run, name: N, more: ReadQuery = {}): Promise<Output<N>> =>
  ask(run, name, more) as Promise<Output<N>>;

export const list = <N extends KnownName>(run: Run, name: N, more: ReadQuery = {}): Promise<Listed<Output<N>>> =>
  ask(run, name, more) as Promise<Listed<Output<N>>>;

/** All pages, in sequence. @throws Error if they are not as long as they say */
export async function everyPage<N extends KnownName>(
  run: Run,
  name: N,
  more: ReadQuery = {},
  per_page = 100,
): Promise<Output<N>[]> {
  const rows: Output<N>[] = [];
  for (let page = 1; ; page++) {
    const listed = await list(run, name, { ...more, page, per_page });
    rows.push(...listed.rows);
    if (page * per_page < listed.total) continue;
    if (rows.length !== listed.total) throw new Error(`${name}: ${rows.length} rows of ${listed.total}`);
    return rows;
  }
}

export const streamFact = (endpoint: number, stream: number, more: Partial<StreamFact> = {}): StreamFact => ({
  endpoint,
  stream,
  codec: 'PCMU',
  remote: '127.0.0.1:4000',
  localPort: 4002,
  ssrcSent: 1,
  ssrcReceived: 2,
  packetsSent: 500,
  octetsSent: 80_000,
  packetsReceived: 490,
  octetsReceived: 78_400,
  expected: 500,
  lost: 10,
  absent: 0,
  paused: 0,
  discarded: 0,
  duplicates: 0,
  reordered: 0,
  ssrcChanges: 0,
  plcEvents: 3,
  plcMs: 60,
  jitterMeanMs: 0.5,
  jitterMaxMs: 2,
  rttMeanMs: 10,
  rttMaxMs: 12,
  rttCount: 2,
  mos: 4.2,
  rFactor: 85,
  burstRatio: 1,
  feedback: true,
  remoteLost: 1,
  remoteJitterMs: 0.4,
  nackCount: 0,
  pliCount: 0,
  firCount: 0,
  sendsSkipped: 0,
  scale: 'nb',
  details: null,
  figuresOnly: false,
  ...more,
});
