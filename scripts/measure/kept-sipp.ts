/** SIPp as a client whose CPU time is known after its end. */
import { freeUdpPort } from '../peers/network/loopback.ts';
import { type Peer, startPeer, treeCpuSeconds, until } from '../peers/process.ts';
import { NO_WATCHDOG } from '../peers/sip/sipp.ts';

/** The options of every SIPp of a measurement. */
export const sippOptions = (host: string, port: number): string[] => [
  ...['-i', host, '-p', String(port), '-mi', host],
  ...['-nostdin', '-buff_size', '4194304', ...NO_WATCHDOG],
];

/** A shell that starts SIPp and waits until it is stopped, so that it keeps the CPU time of SIPp. */
export const startKeptSipp = async (host: string, args: readonly string[]): Promise<Peer> => {
  const command = ['sipp', ...args, ...sippOptions(host, await freeUdpPort(host))];
  return startPeer('sh', ['-c', '"$@" >/dev/null 2>&1; echo SIPp ended: $?; read line', 'sh', ...command], {
    env: { TERM: 'dumb' },
    stdin: 'pipe',
  });
};

/**
 * Waits for the end of SIPp; its CPU time in seconds.
 * @throws Error if it could not work; some failed calls are no error, for they cost the same
 */
export async function keptCpuSeconds(sipp: Peer): Promise<number> {
  await until('SIPp ends', () => sipp.output().includes('SIPp ended'));
  const seconds = await treeCpuSeconds(sipp.pid);
  await sipp.stop('SIGKILL');
  if (!/SIPp ended: [01]$/m.test(sipp.output())) throw new Error(`SIPp as a client: ${sipp.output()}`);
  return seconds;
}
