/** A media proxy: rtpengine, completely in user space (no kernel module), which a SIP server controls with its ng protocol. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freeSipPort } from '../network/loopback.ts';
import { type Peer, startPeer, until } from '../process.ts';

export type Rtpengine = {
  /** `host:port` for commands. */
  readonly control: string;
  readonly address: string;
  readonly output: () => string;
  stop(): Promise<void>;
};

export async function startRtpengine(address: string): Promise<Rtpengine> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-rtpengine-'));
  const control = `${address}:${await freeSipPort(address)}`;
  const server: Peer = startPeer('rtpengine', [
    // Table -1: the kernel forwards nothing.
    ...['--table=-1', '--config-file=none', `--interface=${address}`, `--listen-ng=${control}`],
    ...['--foreground', '--log-stderr', '--log-level=6', '--num-threads=1', '--media-num-threads=1'],
    `--pidfile=${path.join(dir, 'pid')}`,
  ]);
  await until('rtpengine is up', () => server.output().includes('Startup complete')).catch(async (error) => {
    await server.stop('SIGKILL');
    throw new Error(`${(error as Error).message}: ${server.output().slice(-2000)}`);
  });
  return {
    control,
    address,
    output: server.output,
    async stop() {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
