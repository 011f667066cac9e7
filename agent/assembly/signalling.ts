/** Starts the signalling threads, as configured: each has its own listener, and all share the host's pace and minutes. */
import type { Closers } from '@carillon/proto/base/closers.ts';
import { readText } from '@carillon/proto/base/files.ts';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Policy } from '../policy/policy.ts';
import type { MediaThreads } from '../rtp/threads/media-threads.ts';
import { HostPace } from '../run/limits/host-pace.ts';
import type { ShareFacts } from '../run/report/facts.ts';
import type { SignallingNoise } from '../run/report/noise.ts';
import { type SignallingThread, startSignallingThread } from '../run/threads/signalling-host.ts';
import { AGENT_VERSION } from '../version.ts';

type Shared = { readonly policy: Policy; readonly minutesMemory: SharedArrayBuffer; readonly media: MediaThreads };
type Report = (listener: number, facts: ShareFacts) => void;

export type SignallingThreads = {
  readonly threads: readonly SignallingThread[];
  /** Receives the facts. A thread sends none before its first order. */
  reportTo(report: Report): void;
};

/** Rejects if an address cannot be bound; threads that have started by then are closed with the others. */
export async function startSignalling(
  config: Config,
  { policy, minutesMemory, media }: Shared,
  onNoise: (noise: SignallingNoise, listener: number) => void,
  log: Log,
  closers: Closers,
): Promise<SignallingThreads> {
  let report: Report = () => undefined;
  const { files, port: tlsPort } = config.sipTls;
  const identity =
    files === null
      ? {}
      : {
          certificate: await readText('The certificate (CARILLON_SIP_TLS_CERTIFICATE)', files.certificate),
          key: new Secret(await readText('The private key (CARILLON_SIP_TLS_KEY)', files.key)),
        };
  const paceMemory = new HostPace(policy.maxCallsPerSecond).memory;
  const threads: SignallingThread[] = [];
  for (let listener = 0; listener < config.signallingThreads; listener++) {
    const thread = await startSignallingThread(
      {
        address: config.sipAddress,
        announced: config.announced,
        port: nth(config.sipPort, listener),
        adapter: config.io,
        drachtio: config.drachtio,
        userAgentName: `Carillon/${AGENT_VERSION}`,
        policy,
        paceMemory,
        minutesMemory,
        dns: config.dns,
        tls: { ...identity, port: nth(tlsPort, listener) },
        latestStartMs: config.latestStartMs,
      },
      media,
      {
        onFacts: (facts) => {
          for (const one of facts) report(listener, one);
        },
        onNoise: (noise) => {
          onNoise(noise, listener);
          if (Object.keys(noise.refusedSteps).length > 0)
            log.debug({ listener, steps: noise.refusedSteps }, 'state machines refused steps');
        },
        onFault: (message, stack) =>
          log.error({ error: message, stack }, 'an error in the SIP engine; the agent continues'),
      },
    );
    closers.push(() => thread.close());
    threads.push(thread);
    const { fallbackReason } = thread.ready;
    if (fallbackReason) log.warn({ reason: fallbackReason }, 'SIP uses node:dgram: fewer calls, more noise');
  }
  return {
    threads,
    reportTo: (next) => {
      report = next;
    },
  };
}

/** 0: any free port. */
const nth = (first: number, listener: number): number => (first === 0 ? 0 : first + listener);
