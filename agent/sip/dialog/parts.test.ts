/** Descriptions of sessions that come as parts of bodies (RFC 5621): every message of a call may have its own like this. */
import t from 'tap';
import {
  bodyOf,
  CallLog,
  headerOf,
  PEER,
  requestOf,
  responseTo,
  SDP,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';
import { answeredUp, OURS } from '../../testing/sip/virtual-dialog.ts';
import { type IncomingCall, PLAIN_SIGNALLING } from '../engine.ts';

const RELIABLE = { ...PLAIN_SIGNALLING, reliableProvisional: 'SUPPORTED' } as const;
const LOCATION = [
  'Content-Type: application/pidf+xml',
  'Content-Disposition: render;handling=optional',
  '',
  'v=0 is no line of a session here',
].join('\r\n');

/** The same message with its body as one part of two. */
function inParts(message: string, location = LOCATION): string {
  const body = bodyOf(message);
  const parts = `--x y\r\n${location}\r\n--x y\r\nContent-Type: application/sdp\r\n\r\n${body}\r\n--x y--\r\n`;
  return message
    .replace('Content-Type: application/sdp', 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x y"')
    .replace(/Content-Length: \d+/, `Content-Length: ${parts.length}`)
    .replace(/\r\n\r\n[\s\S]*/, `\r\n\r\n${parts}`);
}

type Form = (message: string) => string;

/** What each part of a call is told, if all that the peer describes has this form. */
const SCENES: readonly [string, (form: Form) => unknown][] = [
  [
    'INVITE, re-INVITE and UPDATE to us',
    (form) => {
      const virtual = new VirtualEngine();
      const log = new CallLog();
      const offers: string[] = [];
      const taken = (incoming: IncomingCall) => {
        offers.push(incoming.body);
        incoming.answer(OURS);
        return log;
      };
      virtual.agent({ onIncomingCall: taken });
      virtual.receive(form(requestOf('INVITE', { body: SDP() })));
      const to = headerOf(virtual.take('SIP/2.0 200'), 'To');
      virtual.receive(requestOf('ACK', { to }));
      virtual.receive(form(requestOf('INVITE', { to, cseq: 2, body: SDP('sendonly', PEER.address, 2) })));
      const held = bodyOf(virtual.take('SIP/2.0 200'));
      virtual.receive(requestOf('ACK', { to, cseq: 2 }));
      virtual.receive(form(requestOf('UPDATE', { to, cseq: 3, body: SDP('sendrecv', PEER.address, 3) })));
      return [offers, held, bodyOf(virtual.take('SIP/2.0 200')), log.events, log.body];
    },
  ],
  [
    'the ACK to our offer, in a new call and in a re-INVITE; then none',
    (form) => {
      const virtual = new VirtualEngine();
      const log = new CallLog();
      const unanswered: number[] = [];
      Object.assign(log, { onOfferUnanswered: (atMs: number) => unanswered.push(atMs) });
      const taken = (incoming: IncomingCall) => {
        incoming.answer(OURS);
        return log;
      };
      virtual.agent({ onIncomingCall: taken });
      virtual.receive(requestOf('INVITE'));
      const to = headerOf(virtual.take('SIP/2.0 200'), 'To');
      virtual.receive(form(requestOf('ACK', { to, body: SDP() })));
      virtual.receive(requestOf('INVITE', { to, cseq: 2 }));
      virtual.take('SIP/2.0 200');
      virtual.receive(form(requestOf('ACK', { to, cseq: 2, body: SDP('sendonly', PEER.address, 2) })));
      virtual.receive(requestOf('INVITE', { to, cseq: 3 }));
      virtual.take('SIP/2.0 200');
      virtual.receive(requestOf('ACK', { to, cseq: 3 }));
      return [log.events, log.body, unanswered.length];
    },
  ],
  [
    '183, reliable 183 and 200 to us',
    (form) =>
      [PLAIN_SIGNALLING, RELIABLE].map((signalling) => {
        const virtual = new VirtualEngine();
        const log = new CallLog();
        const early: string[] = [];
        Object.assign(log, { onEarlyMedia: (_: string, remote: string) => early.push(remote) });
        virtual.agent({ signalling }).invite(TARGET, OURS, log);
        const invite = virtual.take('INVITE');
        const headers = signalling === RELIABLE ? ['Require: 100rel', 'RSeq: 1'] : [];
        virtual.receive(form(responseTo(invite, 183, 'Session Progress', { contact: CONTACT, headers, body: SDP() })));
        virtual.receive(form(responseTo(invite, 200, 'OK', { contact: CONTACT, body: SDP() })));
        return [early, log.events, log.body];
      }),
  ],
  [
    'an offer in the 200 to us, and in the 200 to a re-INVITE',
    (form) => {
      const virtual = new VirtualEngine();
      const log = new CallLog();
      Object.assign(log, { onDelayedOffer: (offer: string) => offer.replace('o=peer', 'o=-') });
      const call = virtual.agent({ signalling: { ...PLAIN_SIGNALLING, delayedOffer: true } }).invite(TARGET, '', log);
      virtual.receive(form(responseTo(virtual.take('INVITE'), 200, 'OK', { contact: CONTACT, body: SDP() })));
      const acks = [bodyOf(virtual.take('ACK'))];
      call.changeSession('', 'INVITE');
      virtual.advance(1);
      virtual.receive(form(responseTo(virtual.take('INVITE'), 200, 'OK', { contact: CONTACT, body: SDP() })));
      return [...acks, bodyOf(virtual.take('ACK')), log.events];
    },
  ],
  [
    'PRACK with the answer to our offer',
    (form) => {
      const virtual = new VirtualEngine();
      const log = new CallLog();
      const early: string[] = [];
      Object.assign(log, { onEarlyMedia: (_: string, remote: string) => early.push(remote) });
      const taken = (incoming: IncomingCall) => {
        incoming.progress(183, OURS);
        return log;
      };
      virtual.agent({ signalling: RELIABLE, onIncomingCall: taken });
      virtual.receive(requestOf('INVITE', { headers: ['Supported: 100rel'] }));
      const progress = virtual.take('SIP/2.0 183');
      const headers = [`RAck: ${headerOf(progress, 'RSeq')} 1 INVITE`];
      virtual.receive(form(requestOf('PRACK', { to: headerOf(progress, 'To'), cseq: 2, headers, body: SDP() })));
      virtual.take('SIP/2.0 200');
      return [early, log.events];
    },
  ],
];

t.test('a description is the same by itself and as a part', async (t) => {
  for (const [what, play] of SCENES)
    t.same(
      play(inParts),
      play((message) => message),
      what,
    );
});

t.test('a part that must be understood is refused with 415, what cannot be taken apart with 400', async (t) => {
  const strict = LOCATION.replace('optional', 'required');
  for (const method of ['INVITE', 'UPDATE'] as const) {
    const bed = answeredUp();
    const message = bed.within(method, { body: SDP('sendonly', PEER.address, 2) });
    bed.virtual.receive(inParts(message, strict));
    t.match(headerOf(bed.virtual.take('SIP/2.0 415'), 'Accept'), /^application\/sdp, multipart\/mixed/);
    bed.virtual.receive(inParts(bed.within(method, { body: SDP() })).replace('boundary="x y"', 'boundary=other'));
    bed.virtual.take('SIP/2.0 400');
    t.same(bed.log.events, [], 'the session goes on');
  }
});
