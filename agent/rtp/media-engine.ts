/**
 * The interface of RTP for the rest of the agent: streams that are opened, started, stopped and read. The streams run
 * on media threads (media-thread.ts); a command reaches its thread within a tick of 1 ms, and figures are read from
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
  /** A numeric address: the negotiating side has resolved it, and has asked the host's policy. */
  readonly address: string;
  readonly rtpPort: number;
  /** Equal to rtpPort if RTP and RTCP share a port (RFC 5761). Null: no RTCP is sent. */
  readonly rtcpPort: number | null;
};

/** PATTERN: only video. FILE: hex SHA-256 of the recording as it was uploaded. */
export type StreamSource = 'TONE' | 'SPEECH' | 'SILENCE' | 'PATTERN' | `FILE:${string}`;

/** SEND: received packets are not counted. RECEIVE: only RTCP is sent. NONE: both of these apply. */
export type StreamDirection = 'BOTH' | 'SEND' | 'RECEIVE' | 'NONE';

/** The negotiated ICE session (RFC 8445), which finds the destination of the stream. */
export type IceSession = {
  readonly local: { readonly ufrag: string; readonly pwd: string };
  /** The peer's candidates that the policy allows. */
  readonly remote: IceDescription;
  readonly controlling: boolean;
};

/** A transport shared by several streams of one engine (RFC 9143). */
export type BundleSession = {
  /**
   * The carrier's `MediaStream.index`; the stream's own index if it is the carrier. The carrier is started first, and
   * closed last.
   */
  readonly carrier: number;
  /** The MID of the stream's m= line, and the number of its RTP header extension; null: not negotiated. */
  readonly mid: string;
  readonly extension: number | null;
};

/** The negotiated parameters of one stream, and its media. */
export type StreamSession = {
  /** Null: nothing is sent, not even RTCP. */
  readonly remote: RemoteMedia | null;
  readonly format: StreamFormat;
  readonly source: StreamSource;
  readonly direction: StreamDirection;
  /** Null or absent: the stream is sent to `remote`. */
  readonly ice?: IceSession | null;
  /** Null or absent: the stream has its own transport. Otherwise `remote`, `ice` and `security` are the carrier's. */
  readonly bundle?: BundleSession | null;
  /** The names of the stream, set at its start. Null or absent: they are random. */
  readonly sender?: MediaSender | null;
  /** Null or absent: plain RTP. */
  readonly security?: StreamSecurity | null;
  /** Number of the stream's call, from 0 (absent): another call needs a new DTLS handshake (RFC 8842, 4). */
  readonly association?: number;
  /** RTCP packets may be sent and received without a report in front (RFC 5506). */
  readonly reducedSize?: boolean;
  /** The peer accepts RTCP XR VoIP metrics (RFC 3611, 4.7). */
  readonly extendedReports?: boolean;
  /**
   * At its start: the peer has not shown yet that it wants media. A few packets are sent, then `consent` is required.
   */
  readonly awaitsConsent?: boolean;
};

/** Settings of a stream before negotiation. */
export type StreamProfile = {
  /** The number of the stream within its endpoint: 0 audio, 1 video. */
  readonly stream: number;
  /** The mark of sent packets, 0 to 63 (RFC 2474). Absent: the system's default. */
  readonly dscp?: number;
  /** Applied to received packets before they are counted. Null or absent: no impairment. */
  readonly impairment?: Impairment | null;
  /**
   * ICE may be negotiated; `stunServer` is asked for the public address before the stream is open. Null or absent: no ICE.
   */
  readonly ice?: { readonly stunServer: SocketPlace | null } | null;
  /**
   * The headers of this many first packets in each direction are kept for the streams of these endpoints. Null or
   * absent: no headers are kept.
   */
  readonly traced?: TracedStreams | null;
};

/** A numeric address. */
type SocketPlace = { readonly address: string; readonly port: number };

export type TracedStreams = { readonly endpoints: readonly number[]; readonly packets: number };

/** Every port pair of the range is taken, or every row of the columns is in use. Fewer streams or a wider range would help. */
export class MediaPortsExhausted extends Error {
  override readonly name = 'MediaPortsExhausted';
}

/**
 * A port could not be bound for a reason that applies to other ports too; `code` is the system's (`EADDRNOTAVAIL`,
 * `EMFILE`).
 */
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

/** One RTP session of one endpoint: a bidirectional audio or video stream on its own socket, unless it is bundled. */
export interface MediaStream {
  /** The row in the shared columns. */
  readonly index: number;
  readonly rtpPort: number;
  readonly rtcpPort: number;
  /** Its RTP address as seen by the STUN server; null or absent: no server was asked, or it did not answer. */
  readonly reflexive?: SocketPlace | null;
  /**
   * Starts to send and to count. Datagrams that arrived up to 250 ms before also count: the far end may send as soon as
   * it has answered. Throws RangeError for a packet time that is not an integer from 5 to 60 ms, a non-numeric address,
   * an invalid key, or a format or source that cannot be sent. A second start has no effect.
   */
  start(session: StreamSession): void;
  /**
   * The session has changed (hold, resume, another address or codec). Sequence numbers, timestamps and figures continue
   * in the same stream; the peer's packets start a new block of sequence numbers. Throws like `start`; no effect before
   * it.
   */
  change(session: StreamSession): void;
  /** The peer has shown that it wants the stream, which is then sent without limit. Received media show it as well. */
  consent?(): void;
  /**
   * Sets whether media are expected from now on: they are not while the call is on hold or unanswered. No effect before `start`.
   */
  expectMedia?(owed: boolean): void;
  /**
   * Sends digits in order, as RFC 4733 events of `onMs` (120), `offMs` (80) apart, exact in timestamp units. No effect
   * without a negotiated `telephoneEvent`. RangeError for an invalid digit, or a time outside 10 to 60,000 ms.
   */
  sendDigits?(digits: string, onMs?: number, offMs?: number): void;
  /** A digit was signalled (INFO): it counts with those of RFC 4733. `digit` is one of 0-9 * # A-D. */
  noteDigit?(way: 'SENT' | 'RECEIVED', digit: string, durationMs: number): void;
  /** The first 32 digits that have arrived. */
  digits?(): ReceivedDigit[];
  /** The address of the source that the stream has switched to; null: the stream is sent to the negotiated address. */
  followedAddress?(): string | null;
  /** The state of ICE; null or absent: ICE was not negotiated. */
  iceState?(): 'CHECKING' | 'CONNECTED' | 'COMPLETED' | 'FAILED' | 'LOST' | null;
  /** The arrival of the first RTP packet of the negotiated payload type; null: no packet has arrived. */
  firstPacketAtMs(): number | null;
  /**
   * Stops, sends RTCP BYE, frees the ports. The figures remain readable until the sampler has read the last of them.
   */
  close(): void;
}

/** `request` with a promise, like `open`. */
export const promised = (ask: (opened: (streams: MediaStream[] | Error) => void) => void): Promise<MediaStream[]> =>
  new Promise((resolve, reject) => {
    ask((streams) => (streams instanceof Error ? reject(streams) : resolve(streams)));
  });

export interface MediaEngine {
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** The fingerprint of the certificate that the agent created at start; null or absent: DTLS is not available. */
  readonly fingerprint?: Fingerprint | null;
  /**
   * Binds `count` pairs of ports (RTP even, RTCP odd) on `address`. `owner` and the endpoint number are returned with
   * all figures of the stream. Rejects, without any stream, with MediaPortsExhausted if the port range or the columns
   * are full, MediaBindFailed if the address cannot be bound, MediaEngineClosed if the engine is closed. RangeError for
   * an invalid profile.
   */
  open(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile?: StreamProfile,
  ): Promise<MediaStream[]>;
  /**
   * Like `open`, without a promise, for streams of single calls: `opened` is called within `turn`, or before this
   * returns if nothing has to be requested.
   */
  request(
    address: string,
    owner: number,
    endpointNumbers: readonly number[],
    profile: StreamProfile | undefined,
    opened: (streams: MediaStream[] | Error) => void,
  ): void;
  /**
   * Reads the answers that have arrived since the last call: a thread that sleeps in the kernel between its turns does
   * not get them from the event loop.
   */
  turn(): void;
  /** Closes the streams that this engine opened. The media thread continues for others. */
  close(): Promise<void>;
}
