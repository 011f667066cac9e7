/** What faults happen to: an installation with its embedded database, two agents behind a relay, SIPp that takes their calls. */
import { chmod, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { openLabDatabase, postmasterPid } from '../peers/lab/database.ts';
import { Lab } from '../peers/lab/lab.ts';
import { callsTo, SPEAKS_ONLY } from '../peers/lab/provision.ts';
import { mountSmallDisk, type SmallDisk } from '../peers/lab/small-disk.ts';
import { freePort, ownLoopback } from '../peers/network/loopback.ts';
import { openTcpRelay, type TcpRelay } from '../peers/network/tcp-relay.ts';
import { type Sipp, startSipp } from '../peers/sip/sipp.ts';

/** By both agents, half of them each; the calls of a row begin over BUILDUP_SECONDS. */
export const CALLS = 24;
const BUILDUP_SECONDS = 12;
const DURATION_SECONDS = 8;

export type Stage = {
  readonly lab: Lab;
  /** Between the agents and the control plane. */
  readonly relay: TcpRelay;
  readonly sipp: Sipp;
  /** Of the data folder; null: who runs this may mount none. */
  readonly disk: SmallDisk | null;
  /** For files of a row. */
  readonly dir: string;
  /** Of the run that is under way. */
  runId: string;
  close(): Promise<unknown>;
};

export async function openStage(): Promise<Stage> {
  const net = ownLoopback();
  const dir = await mkdtemp('/tmp/carillon-chaos-');
  // The embedded database's user has to come through.
  await chmod(dir, 0o711);
  const disk = await mountSmallDisk(path.join(dir, 'data'));
  const sipp = await startSipp({ address: net.address(50), scenario: { builtIn: 'uas' } });
  let opening: Promise<TcpRelay> | undefined;
  const shape = { endpoints: CALLS, buildup: BUILDUP_SECONDS, durationSeconds: DURATION_SECONDS, media: SPEAKS_ONLY };
  const lab = new Lab(dir, await openLabDatabase(path.join(dir, 'data'), 'embedded'), await freePort(), {
    net,
    agents: 2,
    linkUrl: async (url) => {
      opening ??= openTcpRelay(Number(new URL(url).port));
      return `http://127.0.0.1:${(await opening).port}`;
    },
    provision: () => ({ tests: [callsTo(sipp.uri, 'calls', shape)] }),
  });
  await lab.start();
  const relay = (await opening) as TcpRelay;
  const close = async () => {
    relay.close();
    await Promise.allSettled([lab.stop(), sipp.stop('SIGKILL')]);
    await disk?.remove();
  };
  return { lab, relay, sipp, disk, dir, runId: '', close };
}

/** Of the embedded database. */
export const postmasterOf = ({ lab }: Stage): number => postmasterPid(lab.dataDir) ?? 0;
