/** A soft phone with a separate ICE implementation (libre's): our streams reach it, encrypted or not, under a hand-written SIP call. */
import { networkInterfaces } from 'node:os';
import t from 'tap';
import { nowMs } from '../../../agent/clock.ts';
import { Sampler } from '../../../agent/rtp/figures/sampler.ts';
import type { StreamRecord } from '../../../agent/rtp/figures/stream-record.ts';
import { createMediaEngine } from '../../../agent/rtp/threads/media-client.ts';
import { startMediaThread } from '../../../agent/rtp/threads/media-thread-host.ts';
import { localCandidates } from '../../../media/ice/candidate.ts';
import type { LocalSecurity } from '../../../media/sdp/local.ts';
import { negotiated } from '../../../media/sdp/negotiated.ts';
import { offerSdp } from '../../../media/sdp/offer.ts';
import { isSdpFault } from '../../../media/sdp/session-description.ts';
import { until } from '../../peers/process.ts';
import { startBaresip } from '../../peers/sip/baresip.ts';
import { callByHand } from '../../peers/sip/call-by-hand.ts';

const PACKETS = 100;
/** Addresses other than loopback: its ICE uses no loopback address. */
const host = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const thread = await startMediaThread({ rtcpMinimumMs: 500 });
const engine = createMediaEngine(thread.connect(), () => true);
const sampler = new Sampler(thread.memory);
t.teardown(async () => {
  await engine.close();
  await thread.close();
});

for (const mode of ['NONE', 'DTLS'] as const)
  await t.test(`baresip, ${mode}`, { skip: host === undefined ? 'no address but loopback' : false }, async (t) => {
    const phone = await startBaresip({ ice: true, ...(mode === 'DTLS' && { mediaEncryption: 'dtls_srtp' }) });
    t.teardown(() => phone.stop());
    const address = host!;
    const [stream] = await engine.open(address, 1, [1], { stream: 0, ice: { stunServer: null } });
    const { rtpPort, rtcpPort } = stream!;
    const security: LocalSecurity = mode === 'DTLS' ? { mode, fingerprint: engine.fingerprint! } : { mode };
    const candidates = localCandidates({ address, port: rtpPort }, null);
    const offer = offerSdp({
      ...{ address, sessionId: '1', version: '1', rtcpMux: true, security, feedbackProfile: 'AVP' },
      streams: [
        {
          ...{ kind: 'AUDIO', rtpPort, rtcpPort, direction: 'sendrecv', keys: [], codecs: ['PCMU'], packetMs: 20 },
          ...{ telephoneEvent: false, ice: { ufrag: 'judge', pwd: 'j'.repeat(24), lite: false, candidates } },
        },
      ],
    });
    const { answer, hangUp } = await callByHand(phone.uri, offer);
    const agreed = negotiated(offer, answer, 'OFFERER');
    if (isSdpFault(agreed)) throw new Error(`${agreed.reason}: ${answer}`);
    const [said] = agreed;
    t.ok(said?.ice, answer);
    stream!.start({
      remote: { address: said!.address!, rtpPort: said!.rtpPort, rtcpPort: said!.rtcpPort },
      ...{ format: said!.format, source: 'TONE', direction: 'BOTH', security: said!.security, ice: said!.ice },
    });
    const { received, streams } = thread.memory;
    const row = stream!.index;
    const isEnough = () =>
      Math.min(received.packets[row]!, streams.packetsSent[row]!, streams.rttCount[row]! * PACKETS) >= PACKETS;
    await until('both have heard enough', isEnough, { everyMs: 10 });
    hangUp();
    stream!.close();
    const records: StreamRecord[] = [];
    await until('the stream is over', () => records.push(...sampler.sample(nowMs()).records) > 0);
    const [record] = records;
    t.match(record, { lost: 0, security: mode, ice: { state: 'COMPLETED', localType: 'host', remoteType: 'host' } });
    t.ok((record?.packetsReceived ?? 0) >= PACKETS && (record?.packetsSent ?? 0) >= PACKETS, phone.output());
    t.equal(record?.remoteLost, 0, 'and it has heard all of ours');
    t.comment(`${mode}: a pair after ${record?.ice?.connectMs} ms, keys after ${record?.handshakeMs} ms more`);
  });
