/** An endpoint that describes its media, without sockets, and descriptions of its peer. */
import type { MediaStream, StreamSession } from '../../rtp/media-engine.ts';
import { EndpointMedia } from '../../run/endpoint/media/endpoint-media.ts';
import type { GroupPlan } from '../../run/plan.ts';

export const fingerprint = { hash: 'sha-256', value: Array(32).fill('AB').join(':') };

export const track = { source: 'TONE', direction: 'BOTH' };

export function mediaOf(
  group: { readonly tracks?: readonly object[]; readonly [setting: string]: unknown },
  told?: [string, number][],
  address = '192.0.2.1',
  remotes?: StreamSession['remote'][],
  begun?: StreamSession[],
) {
  const tracks = [
    { ...track, kind: 'AUDIO', codecs: ['PCMU'], packetMs: 20 },
    { ...track, kind: 'VIDEO', codecs: ['VP8'] },
  ];
  const streams = (group.tracks ?? tracks).map((_, i) => ({
    rtpPort: 4000 + 2 * i,
    rtcpPort: 4001 + 2 * i,
    start: (session: StreamSession) => {
      told?.push([`start ${i}`, session.association ?? 0]);
      remotes?.push(session.remote);
      begun?.push(session);
    },
    change: (session: StreamSession) => void told?.push([`change ${i}`, session.association ?? 0]),
  }));
  const media = new EndpointMedia({
    group: {
      tracks,
      encryption: 'NONE',
      ice: null,
      telephoneEvent: true,
      rtcpMux: false,
      dtmf: null,
      withoutMedia: null,
      ...group,
    } as unknown as GroupPlan,
    address,
    sessionId: '1',
    fingerprint,
    mayReach: () => true,
  });
  media.open(streams as unknown as MediaStream[]);
  return media;
}

export const sdp = (...lines: string[]): string =>
  ['v=0', 'o=peer 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0', ...lines, ''].join('\r\n');
