/**
 * A callee with independent video: its own SIP and SDP, media by GStreamer, a relay of the test between it and the far end. One
 * call at a time. It answers the offered profile, and requests keyframes by PLI.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { freeUdpPort } from '../network/loopback.ts';
import { header, methodOf, readSip, repeated, type SipText, writeSip } from './behaving/sip-text.ts';
import { type GStreamer, startGStreamer } from './video-phone/gstreamer.ts';
import { type LossHole, openRelay, type StreamRelay } from './video-phone/relay.ts';

export type VideoCall = {
  /** Of the video line of the offer: RTP/AVP, RTP/AVPF. */
  readonly profile: string;
  readonly video: StreamRelay;
  readonly audio: StreamRelay;
  readonly media: GStreamer;
};

export type VideoPhone = {
  readonly uri: string;
  readonly calls: readonly VideoCall[];
  close(): Promise<void>;
};

const T1_MS = 500;

type Line = { readonly rtp: number; readonly rtcp: number; readonly profile: string; readonly text: string };

function lineOf(sdp: string, kind: 'audio' | 'video'): Line {
  const text = sdp.slice(sdp.indexOf(`m=${kind}`)).split(/\r\n(?=m=)/)[0] ?? '';
  const [, port = '0', profile = ''] = /^m=\w+ (\d+) (\S+)/.exec(text) ?? [];
  const rtcp = /^a=rtcp:(\d+)/m.exec(text)?.[1];
  return { rtp: Number(port), rtcp: rtcp === undefined ? Number(port) + 1 : Number(rtcp), profile, text };
}

/** `holes`: the lost part of its video, in each direction. */
export async function startVideoPhone(
  address: string,
  holes: { readonly toFarEnd?: LossHole; readonly fromFarEnd?: LossHole },
): Promise<VideoPhone> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  const calls: VideoCall[] = [];
  const open = new Map<string, { answer: string; acknowledged: () => void; over: () => Promise<void> } | null>();

  async function begin(invite: SipText, send: (text: string) => void): Promise<void> {
    const [audio, video] = await Promise.all([openRelay(address), openRelay(address, holes)]);
    const [theirAudio, theirVideo] = [lineOf(invite.body, 'audio'), lineOf(invite.body, 'video')];
    const payloadType = Number(/^a=rtpmap:(\d+) VP8\/90000/m.exec(theirVideo.text)?.[1]);
    const at = { rtp: await freeUdpPort(address), rtcp: await freeUdpPort(address) };
    const media = await startGStreamer({
      address,
      profile: theirVideo.profile === 'RTP/AVPF' ? 'avpf' : 'avp',
      payloadType,
      video: { to: video.back, at },
      audioTo: audio.back.rtp,
    });
    calls.push({ profile: theirVideo.profile, video, audio, media });
    const farEnd = /^c=IN IP4 (\S+)/m.exec(invite.body)?.[1] ?? '';
    // The first packets may be read before the ACK, which has a socket of its own.
    audio.aim({ address: farEnd, port: theirAudio.rtp }, theirAudio.rtcp, at);
    video.aim({ address: farEnd, port: theirVideo.rtp }, theirVideo.rtcp, at);
    const body = [
      ...['v=0', `o=- 1 1 IN IP4 ${address}`, 's=-', `c=IN IP4 ${address}`, 't=0 0'],
      ...[`m=audio ${audio.front.rtp} ${theirAudio.profile} 0`, `a=rtcp:${audio.front.rtcp}`],
      ...[`m=video ${video.front.rtp} ${theirVideo.profile} ${payloadType}`, `a=rtcp:${video.front.rtcp}`],
      ...[`a=rtpmap:${payloadType} VP8/90000`, `a=rtcp-fb:${payloadType} nack pli`],
      '',
    ].join('\r\n');
    const contact = ['Contact', `<sip:video@${address}:${port}>`] as const;
    const answer = writeSip('SIP/2.0 200 OK', [...repeated(invite, 'video'), contact], body);
    const repeat = setInterval(() => send(answer), T1_MS);
    open.set(header(invite, 'call-id'), {
      answer,
      acknowledged() {
        clearInterval(repeat);
        for (const relay of [audio, video]) relay.open();
      },
      async over() {
        clearInterval(repeat);
        for (const relay of [audio, video]) relay.shut();
        await media.stop();
      },
    });
    send(answer);
  }

  socket.on('message', (bytes, from) => {
    const message = readSip(bytes.toString());
    if (!message) return;
    const send = (text: string): void => socket.send(text, from.port, from.address);
    const callId = header(message, 'call-id');
    const call = open.get(callId);
    const method = methodOf(message);
    if (method === 'INVITE') {
      if (call) send(call.answer);
      if (open.has(callId)) return;
      open.set(callId, null);
      send(writeSip('SIP/2.0 180 Ringing', repeated(message, 'video')));
      void begin(message, send);
    } else if (method === 'ACK') call?.acknowledged();
    else if (method !== '') {
      send(writeSip('SIP/2.0 200 OK', repeated(message, 'video')));
      if (method === 'BYE') void call?.over();
    }
  });

  return {
    uri: `sip:video@${address}:${port}`,
    calls,
    async close() {
      await Promise.all([...open.values()].map((call) => call?.over()));
      for (const { audio, video } of calls) for (const relay of [audio, video]) relay.close();
      socket.close();
    },
  };
}
