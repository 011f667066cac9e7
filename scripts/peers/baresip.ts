/** A soft phone: baresip answers every call and plays a tone from a file; it needs no sound card and no registration. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freeUdpPort } from './loopback.ts';
import { type Peer, startPeer, until } from './process.ts';
import { toneWav } from './tone.ts';

export type Baresip = { readonly uri: string; readonly output: () => string; stop(): Promise<void> };

/** Its RTP sockets are bound to no address: over loopback everything comes from this one. */
const ADDRESS = '127.0.0.1';
const MODULES = '/usr/lib/baresip/modules';

export type BaresipOptions = {
  /** As an account has it: what it offers and asks for. */
  readonly mediaEncryption?: 'srtp' | 'srtp-mand' | 'dtls_srtp';
};

const configuration = (port: number, dir: string): string => `
sip_listen ${ADDRESS}:${port}
net_interface ${ADDRESS}
call_local_timeout 120
call_max_calls 4
audio_source aufile,${dir}/tone.wav
audio_player aubridge,nowhere
audio_alert aubridge,alert
rtp_ports 24000-24999
module_path ${MODULES}
module g711.so
module aufile.so
module aubridge.so
module srtp.so
module dtls_srtp.so
module_app account.so
module_app menu.so
`;

export async function startBaresip({ mediaEncryption }: BaresipOptions = {}): Promise<Baresip> {
  const dir = await mkdtemp('/tmp/carillon-baresip-');
  const port = await freeUdpPort(ADDRESS);
  await writeFile(path.join(dir, 'config'), configuration(port, dir));
  await writeFile(path.join(dir, 'tone.wav'), toneWav({ hz: Array<number>(60).fill(440), peak: 0.25, rateHz: 8000 }));
  const secured = mediaEncryption ? `;mediaenc=${mediaEncryption}` : '';
  await writeFile(path.join(dir, 'accounts'), `<sip:phone@${ADDRESS}:${port}>;regint=0;answermode=auto${secured}\n`);
  await writeFile(path.join(dir, 'contacts'), '');
  const phone: Peer = startPeer('baresip', ['-f', dir, '-4', '-s'], { cwd: dir, stdin: 'pipe' });
  await until('baresip is up', () => phone.output().includes('baresip is ready')).catch(async (error) => {
    await phone.stop('SIGKILL');
    throw new Error(`${(error as Error).message}: ${phone.output().slice(-2000)}`);
  });
  return {
    uri: `sip:phone@${ADDRESS}:${port}`,
    output: phone.output,
    async stop() {
      await phone.stop('SIGTERM', 5000);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
