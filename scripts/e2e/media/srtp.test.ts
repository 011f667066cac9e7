/**
 * A soft phone with a separate SRTP implementation (libre's): our engine's streams, both ways, with the keys of a hand-written
 * SIP call. Each side decrypts what the other encrypted, with no shared code.
 */
import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { nowMs } from '../../../agent/clock.ts';
import { Sampler } from '../../../agent/rtp/figures/sampler.ts';
import type { StreamRecord } from '../../../agent/rtp/figures/stream-record.ts';
import type { SrtpSuite, StreamSecurity } from '../../../agent/rtp/media-engine.ts';
import { createMediaEngine } from '../../../agent/rtp/threads/media-client.ts';
import { startMediaThread } from '../../../agent/rtp/threads/media-thread-host.ts';
import { until } from '../../peers/process.ts';
import { startBaresip } from '../../peers/sip/baresip.ts';
import { callByHand } from '../../peers/sip/call-by-hand.ts';

const HOST = '127.0.0.1';
const PACKETS = 150;

const describe = (port: number, profile: string, lines: readonly string[]): string =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${HOST}`,
    's=-',
    `c=IN IP4 ${HOST}`,
    't=0 0',
    `m=audio ${port} ${profile} 0`,
    'a=rtpmap:0 PCMU/8000',
    ...lines,
    '',
  ].join('\r\n');

const thread = await startMediaThread({ rtcpMinimumMs: 500 });
const engine = createMediaEngine(thread.connect());
const sampler = new Sampler(thread.memory);
t.teardown(async () => {
  await engine.close();
  await thread.close();
});

/** A call of 3 s; `secure` reads the answer's keys. The stream's record. */
async function stream(
  uri: string,
  profile: string,
  lines: readonly string[],
  secure: (answer: string) => StreamSecurity,
  reports = true,
): Promise<StreamRecord> {
  const [opened] = await engine.open(HOST, 1, [1]);
  const { answer, hangUp } = await callByHand(uri, describe(opened!.rtpPort, profile, lines));
  const rtpPort = Number(/m=audio (\d+)/.exec(answer)![1]);
  const muxed = /a=rtcp-mux/.test(answer);
  opened!.start({
    remote: { address: HOST, rtpPort, rtcpPort: muxed ? rtpPort : rtpPort + 1 },
    format: { kind: 'AUDIO', codec: 'PCMU', sendPayloadType: 0, receivePayloadType: 0, packetMs: 20 },
    source: 'TONE',
    direction: 'BOTH',
    security: secure(answer),
  });
  const { received, streams } = thread.memory;
  const row = opened!.index;
  const isEnough = (): boolean =>
    Math.min(received.packets[row]!, streams.packetsSent[row]!) >= PACKETS && (!reports || streams.rttCount[row]! > 0);
  await until('both have heard enough', isEnough, { everyMs: 10 });
  hangUp();
  opened!.close();
  const records: StreamRecord[] = [];
  await until('the stream is over', () => records.push(...sampler.sample(nowMs()).records) > 0);
  return records[0]!;
}

/** It opens the path with a datagram before it has keys, and with a single RTCP packet: one of each. */
const PINHOLES = 2;

function judge(t: Test, record: StreamRecord, reports = true): void {
  t.match(record, { lost: 0, srtpReplayed: 0, foreign: 0, stun: 0 });
  t.ok(record.malformed <= PINHOLES, `${record.malformed} malformed`);
  if (reports) t.ok(record.srtpAuthFailed <= PINHOLES, `${record.srtpAuthFailed} not authentic`);
  t.ok(record.packetsReceived >= PACKETS && record.packetsSent >= PACKETS);
  if (reports) {
    t.ok(record.hasFeedback && record.rttCount > 0, "each side can read the other's reports");
    t.equal(record.remoteLost, 0);
  }
  t.comment(
    `${record.security} ${record.srtpSuite}: ${record.packetsReceived} received, jitter ${record.jitterMeanMs.toFixed(2)} ms, ` +
      `handshake ${record.handshakeMs.toFixed(1)} ms`,
  );
}

const sdesPhone = await startBaresip({ mediaEncryption: 'srtp-mand' });
t.teardown(() => sdesPhone.stop());
const dtlsPhone = await startBaresip({ mediaEncryption: 'dtls_srtp' });
t.teardown(() => dtlsPhone.stop());

for (const suite of ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] satisfies SrtpSuite[])
  await t.test(`SDES with ${suite}`, async (t) => {
    // It signs RTCP with 32 bits, too, where RFC 4568, 6.2.2, keeps 80: its reports cannot be verified.
    const reports = suite !== 'AES_CM_128_HMAC_SHA1_32';
    const keySalt = randomBytes(30).toString('base64');
    const keysOf = (answer: string): StreamSecurity => ({
      mode: 'SDES',
      send: { suite, keySalt },
      receive: { suite, keySalt: /a=crypto:1 \S+ inline:([^|\s]+)/.exec(answer)![1]! },
    });
    const lines = [`a=crypto:1 ${suite} inline:${keySalt}`];
    const record = await stream(sdesPhone.uri, 'RTP/SAVP', lines, keysOf, reports);
    t.match(record, { security: 'SDES', srtpSuite: suite });
    judge(t, record, reports);
  });

for (const setup of ['active', 'passive'] as const)
  await t.test(`DTLS, we are ${setup}`, async (t) => {
    const { hash, value } = engine.fingerprint!;
    const lines = [`a=setup:${setup}`, `a=fingerprint:${hash} ${value}`, 'a=rtcp-mux'];
    const record = await stream(dtlsPhone.uri, 'UDP/TLS/RTP/SAVP', lines, (answer) => {
      const [, theirs, fingerprint] = /a=fingerprint:(\S+) (\S+)/.exec(answer)!;
      return {
        mode: 'DTLS',
        role: setup === 'active' ? 'CLIENT' : 'SERVER',
        fingerprints: [{ hash: theirs!, value: fingerprint! }],
      };
    });
    t.match(record, { security: 'DTLS' });
    t.ok(record.handshakeMs > 0);
    judge(t, record);
  });
