/** Starts the encoding thread when it is first needed, and ends it with the agent. */
import { Worker } from 'node:worker_threads';
import type { EncodedAudio } from '@carillon/media/audio/encode.ts';
import type { AudioCodec } from '@carillon/media/codec/audio-codecs.ts';
import type { FilePackets } from '@carillon/media/video/file-packets.ts';
import { threadRoom } from '../process/thread-heap.ts';
import type { EncodeRequest, EncodingAnswer, Made, PacketizeRequest } from './encoding-thread.ts';

type PendingEncoding = { readonly resolve: (made: Made) => void; readonly reject: (error: Error) => void };

export class EncodingThread {
  readonly #waiting = new Map<number, PendingEncoding>();
  #worker: Worker | null = null;
  #requests = 0;
  #isClosed = false;

  /**
   * @param source a signal's name, or the bytes of a WAV file. Rejects with the fault of the file, or when the thread
   * ends.
   */
  async encode(source: string | Uint8Array, codec: AudioCodec): Promise<readonly EncodedAudio[]> {
    return (await this.#ask({ request: ++this.#requests, source, codec })) as readonly EncodedAudio[];
  }

  /** @param video the bytes of an IVF or H.264 file. Rejects like `encode`. */
  async packetize(video: Uint8Array): Promise<readonly FilePackets[]> {
    return (await this.#ask({ request: ++this.#requests, video })) as readonly FilePackets[];
  }

  #ask(request: EncodeRequest | PacketizeRequest): Promise<Made> {
    // Otherwise a thread would start that nothing ends.
    if (this.#isClosed) return Promise.reject(new Error('the agent is stopping'));
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.request, { resolve, reject });
      const worker = this.#started();
      // Pending requests keep it alive.
      worker.ref();
      worker.postMessage(request);
    });
  }

  /** Ends the thread, and rejects pending and later requests. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./encoding-thread.ts', import.meta.url), { resourceLimits: threadRoom() });
    this.#worker = worker;
    worker.on('message', (answer: EncodingAnswer) => {
      const waiting = this.#waiting.get(answer.request);
      this.#waiting.delete(answer.request);
      if (this.#waiting.size === 0) worker.unref();
      if ('made' in answer) waiting?.resolve(answer.made);
      else waiting?.reject(new Error(answer.error));
    });
    let reason = 'the encoding thread ended';
    worker.on('error', (error) => {
      reason = `the encoding thread failed: ${error.message}`;
    });
    worker.on('exit', () => {
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(new Error(reason));
      this.#waiting.clear();
    });
    return worker;
  }
}
