/**
 * What the rest of the agent sees of RTP: streams that are opened, started, stopped and read. The streams themselves
 * live on media threads (media-thread.ts); a command reaches its thread within a tick of 1 ms, figures are read from
 * shared columns at any time. Instants are milliseconds on the agent's clock (agent/clock.ts).
 */
import type { ReceivedDigit } from '@carillon/media/dtmf/receive-digits.ts';
import type { IceDescription } from '@carillon/media/ice/candidate.ts';
import type { Impairment } from '@carillon/media/impairment/impairment.ts';
import type { MediaSender } from '@carillon/media/sdp/session-description.ts';
import type { Fingerprint, StreamFormat, StreamSecurity } from '@carillon/media/sdp/stream-format.ts';

export type {
  AudioCodec,
  AudioFormat,
  Fingerprint,
  SrtpKey,
  SrtpSuite,
  StreamFormat,
  StreamSecurity,
  VideoCodec,
  VideoFeedback,
  VideoFormat,
} from '@carillon/media/sdp/stream-format.ts';

export type RemoteMedia = {
  /** Numeric: the negotiating side has resolved it, and asked the host's policy. */
  readonly address: string;
  readonly rtpPort: number;
  /** Equal to rtpPort where RTP and RTCP share it (RFC 5761). Null: no RTCP is sent. */
  readonly rtcpPort: number | null;
};

/** PATTERN: only video. FILE: hex SHA-256 of the recording as it was uploaded. */
export type StreamSource = 'TONE' | 'SPEECH' | 'SILENCE' | 'PATTERN' | `FILE:${string}`;

/** SEND: what arrives is not counted. RECEIVE: nothing but RTCP is sent. NONE: both. */
export type StreamDirection = 'BOTH' | 'SEND' | 'RECEIVE' | 'NONE';

/** What was agreed on of ICE (RFC 8445): where the stream is sent to is found by it. */
export type IceSession = {
  readonly local: { readonly ufrag: string; readonly pwd: string };
  /** Its candidates are those that the host's policy allows. */
  readonly remote: IceDescription;
  readonly controlling: boolean;
};

/** A transport that several streams of one engine share (RFC 9143). */
export type BundleSession = {
  /** Whose it is, by `MediaStream.index`; its own where others use it. It is started first, and closed last. */
  readonly carrier: number;
  /** The name of the stream's m= line, and the number of the RTP header extension that tells it; null: none was agreed on. */
  readonly mid: string;
  readonly extension: number | null;
};

/** What offer and answer agreed on for one stream, and what is played on it. */
export type StreamSession = {
  /** Null: nobody is sent to, not even RTCP. */
  readonly remote: RemoteMedia | null;
  readonly format: StreamFormat;
  readonly source: StreamSource;
  readonly direction: StreamDirection;
  /** Null or absent: `remote` is where it is sent to. */
  readonly ice?: IceSession | null;
  /** Null or absent: the stream has its own transport. Else `remote`, `ice` and `security` are the carrier's. */
  readonly bundle?: BundleSession | null;
  /** At its start: how it is named. Null or absent: as chance has it. */
  readonly sender?: MediaSender | null;
  /** Null or absent: plain RTP. */
  readonly security?: StreamSecurity | null;
  /** Which of the stream's calls it is, from 0 (absent): another one begins a DTLS handshake of its own (RFC 8842, 4). */
  readonly association?: number;
  /** RTCP packets may come, and go, without a report in front (RFC 5506). */
  readonly reducedSize?: boolean;
  /** The peer takes RTCP XR VoIP metrics (RFC 3611, 4.7). */
  readonly extendedReports?: boolean;
  /** At its start: nothing has shown yet that the peer asked for it. A few packets are sent, then `consent` is waited for. */
  readonly awaitsConsent?: boolean;
};

/** What is known of a stream before anything is negotiated. */
export type StreamProfile = {
  /** 0 audio, 1 video: which of its endpoint's streams it is. */
  readonly stream: number;
  /** 0 to 63, of what is sent (RFC 2474). Absent: the system's. */
  readonly dscp?: number;
  /** Done to what arrives, before it is counted. Null or absent: nothing. */
  readonly impairment?: Impairment | null;
  /** It may be agreed to have ICE; `stunServer`: asked, before the stream is open, as what it sees it. Null or absent: none. */
  readonly ice?: { readonly stunServer: SocketPlace | null } | null;
  /** Headers of the first so many packets each way are kept of the streams of these endpoints. Null or absent: none. */
  readonly traced?: TracedStreams | null;
};

/** Numeric. */
type SocketPlace = { readonly address: string; readonly port: number };

export type TracedStreams = { readonly endpoints: readonly number[]; readonly packets: number };

/** Every port pair of the range is taken, or every row of the columns is in use: fewer streams, or a wider range. */
export class MediaPortsExhausted extends Error {
  override readonly name = 'MediaPortsExhausted';
}

/** A port could not be bound for a reason that another port would not mend; `code` is the system's (`EADDRNOTAVAIL`, `EMFILE`). */
export class MediaBindFailed extends Error {
  override readonly name = 'MediaBindFailed';
  readonly code: string;
  constructor(address: string, code: string) {
    super(`no media port on ${address} could be bound: ${code}`);
    this.code = code;
  }
}

/** The engine was closed, or its media thread has ended. */
export class MediaEngineClosed extends Error {
  override readonly name = 'MediaEngineClosed';
}

/** One RTP session of one endpoint: a bidirectional stream of audio or video on a socket of its own, unless it is bundled. */
export interface MediaStream {
  /** Row in the shared columns. */
  readonly index: number;
  readonly rtpPort: number;
  readonly rtcpPort: number;
  /** As what the STUN server has seen its RTP port; null or absent: none was asked, or it did not answer. */
  readonly reflexive?: SocketPlace | null;
  /**
   * Begins to send and to count. Datagrams that arrived up to 250 ms before count as well: the far end may send as soon as
   * it has answered. Throws RangeError on a packet time that is no whole number of 5 to 60 ms, an address that is not
   * numeric, a key that is none, or a format or source that cannot be sent here. A second start does nothing.
   */
  start(session: StreamSession): void;
  /**
   * The session was changed (hold, resume, another address or codec). Sequence numbers, timestamps and figures go on in the same
   * stream; what the peer sends begins a new block of sequence numbers. Throws as `start` does; before it, does nothing.
   */
  change(session: StreamSession): void;
  /** The peer has shown that it wants the stream: all of it is sent. A packet of media from there shows it as well. */
  consent?(): void;
  /** From now on, media are owed to the stream, or are not: it is held, or the call is not answered yet. Before `start`, nothing. */
  expectMedia?(owed: boolean): void;
  /**
   * Presses keys, one after the other, as RFC 4733 events: of `onMs` (120) each, `offMs` (80) apart, exact in timestamp units. Does
   * nothing where no `telephoneEvent` was agreed on. RangeError on what is no digit, or a time out of 10 to 60,000 ms.
   */
  sendDigits?(digits: string, onMs?: number, offMs?: number): void;
  /** A key was pressed by signalling (INFO): it counts with those of RFC 4733. `digit` is one of 0-9 * # A-D. */
  noteDigit?(way: 'SENT' | 'RECEIVED', digit: string, durationMs: number): void;
  /** The first 32 digits that have come. */
  digits?(): ReceivedDigit[];
  /** Where it is sent to since it turned to the source that it heard, where that is not the negotiated address; null: it is. */
  followedAddress?(): string | null;
  /** What ICE has come to; null or absent: it was not agreed on. */
  iceState?(): 'CHECKING' | 'CONNECTED' | 'COMPLETED' | 'FAILED' | 'LOST' | null;
  /** Arrival of the first RTP packet of the negotiated payload type, null if none has come. */
  firstPacketAtMs(): number | null;
  /** Stops, sends RTCP BYE, gives the ports back. The figures stay readable until the sampler has taken the last of them. */
  close(): void;
}

/** `request` as `open`. */
export const promised = (ask: (opened: (streams: MediaStream[] | Error) => void) => void): Promise<MediaStream[]> =>
  new Promise((resolve, reject) => {
    ask((streams) => (streams instanceof Error ? reject(streams) : resolve(streams)));
  });

export interface MediaEngine {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** Of the certificate that the agent made when it started; null or absent: no DTLS here. */
  readonly fingerprint?: Fingerprint | null;
  /**
   * Binds `count` pairs of ports (RTP even, RTCP odd) on `address`.
   * `owner` and the endpoint number come back with every figure of the stream.
   * Rejects with MediaPortsExhausted when the port range or the columns are full, MediaBindFailed when the address
   * cannot be bound at all, MediaEngineClosed when the engine is; then none is kept. RangeError on a profile out of its bounds.
   */
  open(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile?: StreamProfile,
  ): Promise<MediaStream[]>;
  /**
   * The same without a promise, for streams of single calls: `opened` is told within `turn`, or before this returns where nothing can
   * be asked for.
   */
  request(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile: StreamProfile | undefined,
    opened: (streams: MediaStream[] | Error) => void,
  ): void;
  /** Hears what was answered since: a thread that sleeps in the kernel between its turns does not get it by the event loop. */
  turn(): void;
  /** Closes the streams that this engine opened. The media thread goes on for others. */
  close(): Promise<void>;
}
