/** The encoding thread, for work of seconds that must not delay SIP or RTP. Handles one request at a time. */
import { parentPort } from 'node:worker_threads';
import type { EncodedAudio } from '@carillon/media/audio/encode.ts';
import type { AudioCodec } from '@carillon/media/codec/audio-codecs.ts';
import { type FilePackets, packetizeFile } from '@carillon/media/video/file-packets.ts';
import { encodeSource } from './encode-source.ts';

export type EncodeRequest = {
  readonly request: number;
  /** A signal's name, or the bytes of a recording. */
  readonly source: string | Uint8Array;
  readonly codec: AudioCodec;
};
/** The bytes of a video. */
export type PacketizeRequest = { readonly request: number; readonly video: Uint8Array };
export type Made = readonly EncodedAudio[] | readonly FilePackets[];
export type EncodingAnswer =
  | { readonly request: number; readonly made: Made }
  | { readonly request: number; readonly error: string };

const port = parentPort!;
let work = Promise.resolve();

const make = async (asked: EncodeRequest | PacketizeRequest): Promise<Made> =>
  'video' in asked ? packetizeFile(asked.video) : encodeSource(asked.source, asked.codec);

port.on('message', (asked: EncodeRequest | PacketizeRequest) => {
  const { request } = asked;
  work = work
    .then(async () => port.postMessage({ request, made: await make(asked) } satisfies EncodingAnswer))
    .catch((error: Error) => port.postMessage({ request, error: error.message } satisfies EncodingAnswer));
});
