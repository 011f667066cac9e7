/** The measurements and proofs, by the name that the command takes, with the text of their tables in docs/benchmarks.md. */
import { globSync } from 'node:fs';
import path from 'node:path';
import type { ResultTable } from './table.ts';

export type Measurement = {
  /** `npm run bench`, `npm run chaos` or `npm run prove` makes it. */
  readonly by: 'bench' | 'chaos' | 'prove';
  readonly title: string;
  /** How to read the table. */
  readonly about: string;
  /** `words` are the further words of the command line, for faults only. */
  run(words: readonly string[]): Promise<ResultTable>;
};

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PIECES = Number(process.env['CARILLON_PROVE_PIECES'] ?? 1_000_000);

/** Proofs of features: `e2e/prove.ts` in the folder of each, by the name of the feature, and `e2e/prove-NAME.ts`. */
const ofFeatures = async (): Promise<Record<string, Measurement>> =>
  Object.fromEntries(
    await Promise.all(
      globSync('control-plane/features/*/e2e/prove{,-*}.ts', { cwd: ROOT })
        .sort()
        .map(async (file) => {
          const { SECTION } = (await import(path.join(ROOT, file))) as { SECTION: Measurement };
          const own = path.basename(file, '.ts').slice('prove-'.length);
          return [own || path.basename(path.resolve(file, '../..')), SECTION] as const;
        }),
    ),
  );

export const SECTIONS: Readonly<Record<string, Measurement>> = {
  calls: {
    by: 'bench',
    title: 'Price of a call, beside SIPp',
    about: `Control plane, its PostgreSQL and one agent carry calls of 1 s for 10 s; \`sipp -sn uac\` makes as many calls at the same
moment. CPU is user and system time, from the start to the end of the run. The rate rises until the first run that is not VALID.`,
    run: () => import('./bench/calls.ts').then(({ measureCalls }) => measureCalls()),
  },
  minutes: {
    by: 'bench',
    title: 'First and tenth minute',
    about: `One run of 100 calls a second for ten minutes begins when everything has just been started. SIPp answers.`,
    run: () => import('./bench/minutes.ts').then(({ measureMinutes }) => measureMinutes()),
  },
  streams: {
    by: 'bench',
    title: 'Price of a stream, beside SIPp and C++',
    about: `The media engine and a peer carry the same G.711 streams at the same moment. The peer is SIPp's \`rtp_stream\`, which never reads,
or a plain C++ loop, which measures what it receives. Medians of three rounds.`,
    run: () => import('./bench/streams.ts').then(({ measureStreams }) => measureStreams()),
  },
  'calls-at-once': {
    by: 'bench',
    title: '1,000 calls at once',
    about: `Two agents call each other with audio both ways for 60 s, control plane and PostgreSQL beside them. CPU and memory are those of the
calling agent.`,
    run: () => import('./bench/calls-at-once.ts').then(({ measureCallsAtOnce }) => measureCallsAtOnce()),
  },
  reads: {
    by: 'bench',
    title: 'Reads beside runs',
    about: `64 clients read over REST for 10 s, with a key, beside an empty route of the same HTTP server. Clients, database and control
plane share the processors.`,
    run: () => import('./bench/reads.ts').then(({ measureReads }) => measureReads()),
  },
  probes: {
    by: 'bench',
    title: '5,000 probes every 5 minutes',
    about: `One control plane, one agent that places every call, SIPp that answers and echoes. A tick is late until its run is
submitted. The claim is that all executions that end are healthy.`,
    run: () => import('./bench/probes.ts').then(({ measureProbes }) => measureProbes()),
  },
  fleet: {
    by: 'bench',
    title: '1,000 agents come back',
    about: `Agents with links only enroll all at once, and come back after the control plane has ended. The claim is that all are back within a
minute.`,
    run: () => import('./bench/fleet.ts').then(({ measureFleet }) => measureFleet()),
  },
  faults: {
    by: 'chaos',
    title: 'Faults against live calls',
    about: `Each row is a run of 24 calls through two agents, and a fault. SIPp answers and counts by itself. "holds" is no where a call was
lost that the fault does not excuse.`,
    run: (words) => import('./chaos/chaos.ts').then(({ chaos }) => chaos(words)),
  },
  'kill-switch': {
    by: 'prove',
    title: 'Kill switch',
    about: `500 calls and 200 registrations are ended by one order. The claim is that the last BYE and the last un-REGISTER leave within 5 s.
SIPp and kamailio are asked every 100 to 200 ms, so theirs are upper bounds.`,
    run: () => import('./prove/kill-switch.ts').then(({ killSwitch }) => killSwitch()),
  },
  calibrate: {
    by: 'prove',
    title: 'Calibration',
    about: 'The claim is that a run at 70 % of what `calibrate` finds is VALID, and one at 130 % is not.',
    run: () => import('./prove/calibrate.ts').then(({ calibrate }) => calibrate()),
  },
  registrations: {
    by: 'prove',
    title: '100,000 bindings at a registrar',
    about: `Endpoints of one run register at kamailio with digest, over four agents, evenly over one cycle of refreshes, and stay registered; the
registrar grants 120 s. It is restarted, and later away for longer than a binding lasts, and has forgotten everything each time. Failed
REGISTERs are repeated after 30 s. It counts by the second what came; SIPp registers a fourth as many elsewhere at the same moment,
as one agent does. The claims are that no binding expires or is lost, that the highest second of refreshes has 1.5 times the mean at most,
that after a restart all are back before a binding would expire, with at most 1.5 times what is due twice in a second, and that
the storm after the long absence is over within two waits of a retry, with at most 1.5 times the even rate of retries in a second.`,
    run: () => import('./prove/registrations.ts').then(({ registrations }) => registrations()),
  },
  'large-pages': {
    by: 'prove',
    title: 'Pages of a large installation',
    about: `A browser on 10,000 runs, a run of 5,000 endpoints and 100,000 calls, 1,000 probes with 40 executions each, 1,000 agents and
50 customers. A page is ready when its text and the charts in view are drawn and no request is under way. First: by its address, in a browser
that knows nothing, read for the first time since the control plane was started; cold: the same again, the best of three; warm: from
another page, the best of three. The claim is that each is ready within 1 s on a quiet host, or after 1 s of CPU of all together on a
busy one; the pages of workers, warm, within 300 ms; and that the first load of each has at most 200 kB of script as it is transferred, that of a run 220, and in progress 240.`,
    run: () => import('./prove/large-pages.ts').then(({ largePages }) => largePages()),
  },
  garbage: {
    by: 'prove',
    title: 'Garbage at every port',
    about: `Seeded garbage while calls go on and a client reads the API. The claim is that each piece is counted and that each call is good. A
dash: such pieces are only counted as parts of a stream or of a call.`,
    run: () => import('./prove/garbage.ts').then(({ garbage }) => garbage(PIECES)),
  },
  packages: {
    by: 'prove',
    title: 'Packages on a clean Debian',
    about: `Each package of the agent on a Debian 12 without compiler, git and Node.js: installed, enrolled by the commands that the dashboard
shows, part of a run, removed. Last the Debian packages of control plane and agent, beside each other.`,
    run: () => import('./prove/packages.ts').then(({ packages }) => packages()),
  },
  containers: {
    by: 'prove',
    title: 'Container images',
    about: 'Both images are built and carry a run: read-only, without capabilities, not as root.',
    run: () => import('./prove/containers.ts').then(({ containers }) => containers()),
  },
  release: {
    by: 'prove',
    title: 'Releases with the same bytes',
    about: 'Two clones in different places make the same release, which is verified by the commands of its page.',
    run: () => import('./prove/release.ts').then(({ release }) => release()),
  },
  walk: {
    by: 'prove',
    title: 'Get started on a clean Debian',
    about: 'The commands of "Get started" on a Debian 12 that has only git and Node.js 20, packages from npm within.',
    run: () => import('./prove/walk.ts').then(({ walk }) => walk()),
  },
  'first-week': {
    by: 'prove',
    title: 'The first week',
    about: `From the folder of a release to the alarm of a probe and a second customer: a control plane and two agents by their Debian packages on
hosts of their own, TLS, a real browser. Repeated executions of a probe on a busy host are clicks, too.`,
    run: () => import('./prove/first-week/road.ts').then(({ firstWeek }) => firstWeek()),
  },
  ...(await ofFeatures()),
};
