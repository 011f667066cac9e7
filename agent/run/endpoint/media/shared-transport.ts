/**
 * Streams of an endpoint that share a transport (RFC 9143): finds which streams they are, and which one owns the
 * transport. Pure.
 */
import type { LocalStream } from '@carillon/media/sdp/local.ts';
import type { NegotiatedStream } from '@carillon/media/sdp/negotiated.ts';
import type { BundleSession, MediaStream } from '../../../rtp/media-engine.ts';

type OpenedStream = Pick<MediaStream, 'index' | 'rtpPort'>;

/** The negotiated parameters of our stream: by its port, or by its kind if it shares a transport. */
export const namedFor = (
  kind: LocalStream['kind'],
  rtpPort: number,
  agreed: readonly (NegotiatedStream | null)[],
): NegotiatedStream | null =>
  agreed.find((one) => one && (one.mid === null ? one.localPort === rtpPort : one.format.kind === kind)) ?? null;

/** The number of the stream whose transport the stream `i` uses. */
export function carrierOf(i: number, named: NegotiatedStream | null, streams: readonly OpenedStream[]): number {
  const at = named === null ? -1 : streams.findIndex(({ rtpPort }) => rtpPort === named.localPort);
  return at < 0 ? i : at;
}

/** The shared transport of stream `i`; null: it has its own. */
export function bundleOf(
  i: number,
  now: NegotiatedStream,
  named: readonly (NegotiatedStream | null)[],
  streams: readonly OpenedStream[],
): BundleSession | null {
  const carrier = carrierOf(i, now, streams);
  const isShared = named.some((other, at) => at !== i && other?.mid && other.localPort === now.localPort);
  if (now.mid === null || (carrier === i && !isShared)) return null;
  return { carrier: (streams[carrier] as OpenedStream).index, mid: now.mid.id, extension: now.mid.extension };
}

/** The streams, with those first whose transport others use. */
export const carriersFirst = (
  named: readonly (NegotiatedStream | null)[],
  streams: readonly OpenedStream[],
): number[] => {
  const isCarried = (i: number): number => (carrierOf(i, named[i] ?? null, streams) === i ? 0 : 1);
  return streams.map((_, i) => i).sort((a, b) => isCarried(a) - isCarried(b));
};
