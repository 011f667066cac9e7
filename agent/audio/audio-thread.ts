/** The thread that encodes: seconds of work, of which neither SIP nor RTP may notice anything. One request after the other. */
import { parentPort } from 'node:worker_threads';
import type { AudioCodec, EncodedAudio } from '@carillon/media/audio/encode.ts';
import { encodeSource } from './encode-source.ts';

export type EncodeRequest = {
  readonly request: number;
  /** A signal's name, or the bytes of a recording. */
  readonly source: string | Uint8Array;
  readonly codec: AudioCodec;
};
export type EncodeAnswer =
  | { readonly request: number; readonly encoded: readonly EncodedAudio[] }
  | { readonly request: number; readonly error: string };

const port = parentPort!;
let work = Promise.resolve();

port.on('message', ({ request, source, codec }: EncodeRequest) => {
  work = work
    .then(async () => {
      port.postMessage({ request, encoded: await encodeSource(source, codec) } satisfies EncodeAnswer);
    })
    .catch((error: Error) => port.postMessage({ request, error: error.message } satisfies EncodeAnswer));
});
