/**
 * A soft phone: baresip answers every call, plays a tone from a file and can record what it hears; it needs no sound card and
 * no registration.
 */

import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, freeSipPort } from '../network/loopback.ts';
import { type Peer, startPeer, until } from '../process.ts';
import { toneWav } from '../referees/tone.ts';

export type Baresip = {
  readonly uri: string;
  readonly output: () => string;
  /** What it heard, a WAV file for each ended call; if it records. */
  heard(): Promise<Buffer[]>;
  /** The effect of its keys: `hold`, `resume`, `hangup`. Its answer. */
  command(name: string, params?: string): Promise<string>;
  /** SIGKILL: it sends no BYE. */
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** Its RTP sockets are bound to no address: over loopback everything comes from this one. */
const ADDRESS = '127.0.0.1';
const MODULES = '/usr/lib/baresip/modules';

export type BaresipOptions = {
  /** The parameters of an account: what it offers and requires. */
  readonly mediaEncryption?: 'srtp' | 'srtp-mand' | 'dtls_srtp';
  /** It uses ICE (libre's), over every address of the host except loopback, and RTCP on the port of RTP. */
  readonly ice?: boolean;
  /** The codecs that it accepts; G.711 of both laws if absent. */
  readonly codec?: PhoneCodec;
  /** Calls that begin in the same second share a file: one at a time. */
  readonly records?: boolean;
  /** It sends a moving picture in VP8 and displays received video nowhere. */
  readonly video?: boolean;
};

export type PhoneCodec = 'PCMU' | 'PCMA' | 'G722' | 'OPUS';

type CodecRow = {
  readonly module: string;
  readonly account: string;
  readonly rateHz: number;
  readonly channels: number;
};
/** Its files are played unchanged: at the codec's own rate and channels. */
const CODECS: Readonly<Record<PhoneCodec, CodecRow>> = {
  PCMU: { module: 'g711', account: 'pcmu', rateHz: 8000, channels: 1 },
  PCMA: { module: 'g711', account: 'pcma', rateHz: 8000, channels: 1 },
  G722: { module: 'g722', account: 'g722', rateHz: 16_000, channels: 1 },
  OPUS: { module: 'opus', account: 'opus/48000/2', rateHz: 48_000, channels: 2 },
};

/** Of every address at once: neither the system's range nor that of agents, which may use thousands on one address. */
const RTP_PORTS = '61000-64999';

/** The source that it plays. */
const PHONE_TONE = { hz: 440, peak: 0.25 };

const VIDEO = `video_source fakevideo,nil
video_display fakevideo,nil
video_size 320x240
video_bitrate 300000
video_fps 15
module vp8.so
module fakevideo.so
module rtcpsummary.so`;

const configuration = (
  port: number,
  controlPort: number,
  dir: string,
  { codec = 'PCMU', records = false, ice = false, video = false }: BaresipOptions,
): string => `
sip_listen ${ADDRESS}:${port}
net_interface ${ADDRESS}
call_local_timeout 120
call_max_calls 4
audio_source aufile,${dir}/tone.wav
audio_player aubridge,nowhere
audio_alert aubridge,alert
rtp_ports ${RTP_PORTS}
module_path ${MODULES}
module ${CODECS[codec].module}.so
${records ? `module sndfile.so\nsnd_path ${dir}` : ''}
module aufile.so
module aubridge.so
${ice ? 'rtcp_mux yes\nmodule ice.so' : ''}
${video ? VIDEO : ''}
module srtp.so
module dtls_srtp.so
module_app account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen ${ADDRESS}:${controlPort}
`;

/** It also listens on the next port (TLS), and another process may take one that was free a moment ago. */
const STARTS = 5;

export async function startBaresip(options: BaresipOptions = {}): Promise<Baresip> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-baresip-'));
  for (let left = STARTS; ; left--) {
    const port = await freeSipPort(ADDRESS);
    const controlPort = await freePort();
    await describe(dir, port, controlPort, options);
    const phone: Peer = startPeer('baresip', ['-f', dir, '-4', '-s', ...(options.video ? ['-v'] : [])], {
      cwd: dir,
      stdin: 'pipe',
    });
    const isUp = (): boolean => phone.output().includes('baresip is ready');
    const hasNoPort = (): boolean => phone.output().includes('Address already in use');
    await until('baresip is up', () => isUp() || hasNoPort()).catch(() => undefined);
    if (isUp()) return phoneOf(phone, dir, port, controlPort);
    await phone.stop('SIGKILL');
    if (left === 1 || !hasNoPort()) throw new Error(`baresip does not come up: ${phone.output().slice(-2000)}`);
  }
}

/** Its files: configuration, audio source, account. */
async function describe(dir: string, port: number, controlPort: number, options: BaresipOptions): Promise<void> {
  const { mediaEncryption, codec, ice } = options;
  await writeFile(path.join(dir, 'config'), configuration(port, controlPort, dir, options));
  const { hz, peak } = PHONE_TONE;
  const { rateHz, channels, account } = CODECS[codec ?? 'PCMU'];
  const tone = toneWav({ hz: Array<number>(60).fill(hz), peak, rateHz, channels });
  await writeFile(path.join(dir, 'tone.wav'), tone);
  const codecs = codec ? `;audio_codecs=${account}` : '';
  const secured = mediaEncryption ? `;mediaenc=${mediaEncryption}` : '';
  await writeFile(
    path.join(dir, 'accounts'),
    `<sip:phone@${ADDRESS}:${port}>;regint=0;answermode=auto${ice ? ';medianat=ice' : ''}${secured}${codecs}\n`,
  );
  await writeFile(path.join(dir, 'contacts'), '');
}

function phoneOf(phone: Peer, dir: string, port: number, controlPort: number): Baresip {
  return {
    uri: `sip:phone@${ADDRESS}:${port}`,
    output: phone.output,
    async heard() {
      const names = (await readdir(dir)).filter((name) => name.endsWith('-dec.wav'));
      return Promise.all(names.map((name) => readFile(path.join(dir, name))));
    },
    async command(name, params) {
      const socket = connect(controlPort, ADDRESS);
      const text = JSON.stringify({ command: name, ...(params !== undefined && { params }) });
      // Netstrings, both ways.
      socket.write(`${text.length}:${text},`);
      let answer = '';
      while (!answer.includes('"response"')) answer += String((await once(socket, 'data'))[0]);
      socket.destroy();
      return answer;
    },
    async kill() {
      await phone.stop('SIGKILL');
    },
    async stop() {
      await phone.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
