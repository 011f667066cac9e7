/**
 * The media of a video phone: GStreamer's rtpbin, encoder and decoder for VP8, a tone for audio. It reports each frame that it
 * sends and receives.
 */
import { type Peer, startPeer, until } from '../../process.ts';

type Ports = { readonly rtp: number; readonly rtcp: number };

export type GStreamerTerms = {
  readonly address: string;
  readonly profile: 'avp' | 'avpf';
  readonly payloadType: number;
  /** Where it sends, and where it listens. */
  readonly video: { readonly to: Ports; readonly at: Ports };
  readonly audioTo: number;
};

export type Frames = { frames: number; keyframes: number };

export type GStreamer = {
  /** Encoded; completely received; decoded. */
  readonly encoded: Frames;
  readonly received: Frames;
  readonly shown: Frames;
  stop(): Promise<void>;
};

const FRAME = /GstIdentity:(encoded|received|shown): last-message = chain .*flags: \w+ ([^)]*)/;

const pipeline = ({ address, profile, payloadType, video, audioTo }: GStreamerTerms): string => `
rtpbin name=rtp rtp-profile=${profile} latency=50 do-lost=true
videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=15/1
! vp8enc deadline=1 keyframe-max-dist=100000 ! identity name=encoded silent=false
! rtpvp8pay pt=${payloadType} ! rtp.send_rtp_sink_0
rtp.send_rtp_src_0 ! udpsink host=${address} port=${video.to.rtp} sync=false async=false
rtp.send_rtcp_src_0 ! udpsink host=${address} port=${video.to.rtcp} sync=false async=false
udpsrc address=${address} port=${video.at.rtp}
caps=application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8,payload=${payloadType},rtcp-fb-nack-pli=true
! rtp.recv_rtp_sink_0
udpsrc address=${address} port=${video.at.rtcp} ! rtp.recv_rtcp_sink_0
rtp. ! rtpvp8depay request-keyframe=true wait-for-keyframe=true ! identity name=received silent=false
! vp8dec ! identity name=shown silent=false ! fakesink sync=false async=false
audiotestsrc is-live=true samplesperbuffer=160 ! audio/x-raw,rate=8000,channels=1
! mulawenc ! rtppcmupay pt=0 ! udpsink host=${address} port=${audioTo} sync=false async=false`;

/** It is encoding when this resolves. */
export async function startGStreamer(terms: GStreamerTerms): Promise<GStreamer> {
  const peer: Peer = startPeer('gst-launch-1.0', ['-v', ...pipeline(terms).trim().split(/\s+/)]);
  const counts = {
    encoded: { frames: 0, keyframes: 0 },
    received: { frames: 0, keyframes: 0 },
    shown: { frames: 0, keyframes: 0 },
  };
  let rest = '';
  peer.child.stdout?.on('data', (data: Buffer) => {
    const lines = (rest + data.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, where, flags = ''] = FRAME.exec(line) ?? [];
      if (where === undefined) continue;
      const of = counts[where as keyof typeof counts];
      of.frames += 1;
      if (!flags.includes('delta-unit')) of.keyframes += 1;
    }
  });
  let ended = false;
  void peer.exited.then(() => {
    ended = true;
  });
  await until('GStreamer encodes', () => ended || counts.encoded.frames > 2);
  if (ended) throw new Error(`GStreamer ended: ${peer.output().slice(-2000)}`);
  return {
    ...counts,
    async stop() {
      await peer.stop('SIGINT');
    },
  };
}
