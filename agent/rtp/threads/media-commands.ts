/** Messages between client threads, owner and media thread. Plain data: structured clone copies them. */
import type { MessagePort } from 'node:worker_threads';
import type { DtlsIdentity } from '../../net/ciphers/dtls.ts';
import type { SrtpCipherAdapter } from '../../net/ciphers/srtp-ciphers-open.ts';
import type { StreamAdapter } from '../../net/streams/stream-sockets-open.ts';
import type { OpenedStream } from '../loop/open-job.ts';
import type { Fingerprint, StreamProfile, StreamSession } from '../media-engine.ts';
import type { LoadedMedia } from '../send/playlists.ts';

export type MediaCommand =
  | {
      readonly op: 'open';
      readonly request: number;
      readonly address: string;
      readonly owner: number;
      readonly endpointNumbers: readonly number[];
      readonly profile?: StreamProfile | undefined;
    }
  | {
      readonly op: 'start' | 'change';
      readonly row: number;
      readonly generation: number;
      readonly session: StreamSession;
    }
  | {
      readonly op: 'press';
      readonly row: number;
      readonly generation: number;
      readonly digits: string;
      readonly onMs: number;
      readonly offMs: number;
    }
  | { readonly op: 'expect'; readonly row: number; readonly generation: number; readonly owed: boolean }
  /** Keys that were pressed by signalling. */
  | {
      readonly op: 'signalled';
      readonly row: number;
      readonly generation: number;
      readonly way: 'SENT' | 'RECEIVED';
      readonly digit: string;
      readonly durationMs: number;
    }
  /** The detected source may be used as the destination. */
  | ({ readonly op: 'follow' } & HeardSource)
  | { readonly op: 'consent'; readonly row: number; readonly generation: number }
  | { readonly op: 'close'; readonly row: number; readonly generation: number }
  | { readonly op: 'leave' };

/** The source of a stream's media, if it is not the negotiated address. */
export type HeardSource = {
  readonly row: number;
  readonly generation: number;
  readonly address: string;
  readonly port: number;
};

/** Answer to `open`. */
export type MediaAnswer = {
  readonly op: 'opened';
  readonly request: number;
  readonly streams: readonly OpenedStream[];
  readonly failure: string | null;
};

/** A question to the client that holds the stream: whether the source may be followed. */
export type MediaQuestion = { readonly op: 'heard' } & HeardSource;

export type OwnerCommand =
  | { readonly op: 'client'; readonly port: MessagePort }
  | { readonly op: 'load'; readonly request: number; readonly media: LoadedMedia }
  | { readonly op: 'unload'; readonly source: string }
  | { readonly op: 'end' };

/** A message to the thread's owner: loaded media can be played. */
export type MediaLoaded = { readonly op: 'loaded'; readonly request: number };

/** A message to the thread's owner, sent once: the thread has its sockets and waits for commands. */
export type MediaThreadReady = {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  readonly fallbackReason: string | null;
  readonly realtime: boolean;
  readonly realtimeFault: string | null;
  readonly nice: number;
  readonly srtpCiphers: 'openssl' | 'node';
  readonly srtpFallbackReason: string | null;
  readonly fingerprint: Fingerprint | null;
};

export type MediaThreadData = {
  readonly buffer: SharedArrayBuffer;
  readonly capacity: number;
  readonly adapter: StreamAdapter;
  readonly realtime: boolean;
  readonly firstPort: number;
  readonly lastPort: number;
  readonly rtcpMinimumMs: number;
  readonly srtpCiphers: SrtpCipherAdapter;
  readonly dtlsIdentity: DtlsIdentity | null;
};

/** The connection of a client thread to a media thread; sent with `port` in the transfer list. */
export type MediaConnection = {
  readonly port: MessagePort;
  readonly buffer: SharedArrayBuffer;
  readonly capacity: number;
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  readonly fingerprint: Fingerprint | null;
};
