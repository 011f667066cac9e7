/** Offer and answer of any two ends: what holds whatever they are. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { agreed, answerAgain, LOCAL, type One, offerAgain, parsed, session } from '../testing/sdp-sessions.ts';
import { answerSdp } from './answer.ts';
import { addressFault } from './media-address.ts';
import { negotiated } from './negotiated.ts';
import { offerSdp } from './offer.ts';
import { parseSdp } from './parse.ts';
import { type Direction, isSdpFault } from './session-description.ts';
import type { AudioCodec } from './stream-format.ts';
import { writeSdp } from './write.ts';

const anyPort = fc.integer({ min: 1, max: 65_534 });

const anyLocal: fc.Arbitrary<One> = fc.record({
  address: fc.oneof(
    fc.ipV4().filter((address) => address !== '0.0.0.0' && addressFault(address) === null),
    fc.ipV6().filter((address) => address !== '::' && addressFault(address) === null),
  ),
  rtpPort: anyPort,
  rtcpPort: anyPort,
  rtcpMux: fc.boolean(),
  codecs: fc.constantFrom<AudioCodec[]>(['PCMU'], ['G722', 'OPUS'], ['PCMU', 'PCMA'], ['OPUS', 'PCMA', 'PCMU']),
  packetMs: fc.constantFrom(10, 20, 30, 40, 60),
  direction: fc.constantFrom<Direction>('sendrecv', 'sendonly', 'recvonly', 'inactive'),
  sessionId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  version: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
});

t.test('a description is the same after writing and reading', (t) => {
  fc.assert(
    fc.property(anyLocal, (local) => {
      const text = offerSdp(session(local));
      return writeSdp(parsed(text)) === text;
    }),
  );
  t.pass('what is written is read back the same');
  fc.assert(
    fc.property(anyLocal, anyLocal, (caller, callee) => {
      const offer = offerSdp(session(caller));
      const answer = answerSdp(offer, session(callee));
      const common = caller.codecs.find((codec) => callee.codecs.includes(codec));
      if (isSdpFault(answer)) return answer.fault === 'NO_COMMON_CODEC' && common === undefined;
      const ours = agreed(offer, answer, 'OFFERER');
      const theirs = agreed(offer, answer, 'ANSWERER');
      const mirrored: Record<Direction, Direction> = {
        sendrecv: 'sendrecv',
        sendonly: 'recvonly',
        recvonly: 'sendonly',
        inactive: 'inactive',
      };
      return (
        parsed(answer).media.length === parsed(offer).media.length &&
        ours.codec === common &&
        ours.codec === theirs.codec &&
        ours.direction === mirrored[theirs.direction] &&
        ours.sendPayloadType === theirs.receivePayloadType &&
        ours.receivePayloadType === theirs.sendPayloadType &&
        ours.rtpPort === callee.rtpPort &&
        theirs.rtpPort === caller.rtpPort
      );
    }),
  );
  t.pass('both ends come to the same, mirrored');
  const piece = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      ...offerSdp(LOCAL).split('\r\n'),
      'a=rtpmap:0',
      'a=rtpmap:999 a/b/c',
      'm=',
      'c=',
      'a=',
      'm=audio 1 RTP/AVP 0 0 0',
      'o=',
      'a=direction:both',
    ),
    fc
      .tuple(fc.constantFrom('v', 'o', 'c', 'm', 'a', 't'), fc.string({ maxLength: 40 }))
      .map(([type, value]) => `${type}=${value}`),
  );
  const junk = fc
    .tuple(fc.array(piece, { maxLength: 20 }), fc.constantFrom('\r\n', '\n', '\r', ' '))
    .map(([lines, end]) => lines.join(end));
  fc.assert(
    fc.property(junk, junk, (a, b) => {
      for (const result of [
        parseSdp(a),
        answerSdp(a, LOCAL),
        answerAgain(b, a, 'sendrecv'),
        offerAgain(b, 'recvonly'),
        negotiated(a, b, 'OFFERER'),
        negotiated(offerSdp(LOCAL), b, 'ANSWERER'),
      ]) {
        if (isSdpFault(result) && result.reason === '') throw new Error('a fault without a reason');
      }
    }),
    { numRuns: 2000 },
  );
  t.pass('nothing throws');
  t.end();
});
