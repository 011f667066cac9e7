import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { growth, LINEAR } from '../../testing/growth.ts';
import { PIECES } from '../../testing/sip/garbage.ts';
import { CallLog, headerOf, requestOf, responseTo, SDP, VirtualEngine } from '../../testing/sip/virtual.ts';

type Edit = { at: number; cut: number; put: string };

const noop = (): void => undefined;
const SAMPLE = requestOf('INVITE', {
  body: SDP(),
  headers: ['Require: x', 'Route: <sip:a;lr>, <sip:b>', 'Accept: a/b'],
});

t.test('nothing that arrives throws', (t) => {
  const challenge = 'WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256';
  const edit = fc.record({
    at: fc.nat(),
    cut: fc.integer({ min: 0, max: 12 }),
    put: fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...SAMPLE.split('\r\n')), fc.string({ maxLength: 4 })),
  });
  const stimulus = fc.record({
    pick: fc.nat(),
    edits: fc.oneof(fc.constant<Edit[]>([]), fc.array(edit, { maxLength: 4 })),
    noise: fc.oneof(
      { weight: 19, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    ),
    pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40_000 })),
    act: fc.constantFrom('none', 'none', 'hangUp', 'unregister', 'close'),
  });
  let answered = 0;
  fc.assert(
    fc.property(fc.array(stimulus, { minLength: 1, maxLength: 8 }), (stimuli) => {
      const virtual = new VirtualEngine();
      const agent = virtual.agent({
        onIncomingCall: (call) => {
          call.ring();
          call.answer(SDP());
          return new CallLog();
        },
      });
      const log = new CallLog();
      const call = agent.invite('sip:bob@192.0.2.2', SDP(), log);
      agent.register(60, {
        onRegisterSent: noop,
        onRegistered: noop,
        onRegistrationFailed: noop,
        onUnregistered: noop,
      });
      virtual.engine.turn(virtual.nowMs);
      for (const { pick, edits, noise, pause, act } of stimuli) {
        const texts = virtual.sent.slice(-6).flatMap(({ text }) => peerOf(text, challenge));
        const chosen = noise === null ? (texts[pick % texts.length] ?? SAMPLE) : Buffer.from(noise).toString('latin1');
        virtual.receive(
          edits.reduce((now, { at, cut, put }) => {
            const position = at % (now.length + 1);
            return now.slice(0, position) + put + now.slice(position + cut);
          }, chosen),
        );
        if (act === 'hangUp') call.hangUp();
        if (act === 'unregister') agent.unregister();
        if (act === 'close') agent.close();
        virtual.nowMs += pause;
        virtual.engine.turn(virtual.nowMs);
      }
      for (let i = 0; i < 8; i++) {
        virtual.nowMs += 40_000;
        virtual.engine.turn(virtual.nowMs);
      }
      if (virtual.errors.length > 0) throw virtual.errors[0];
      const ends = log.events.filter((event) => event.startsWith('failed') || event.startsWith('ended'));
      if (ends.length > 1) throw new Error(`a call ended ${ends.length} times: ${log.events.join(', ')}`);
      if (log.events.includes('answered 200')) answered++;
    }),
    { numRuns: 1500 },
  );
  t.ok(answered > 30, `calls were answered in ${answered} runs: the mutations reach deep`);
  t.end();
});

/** What a peer may send next after it received `text`. */
function peerOf(text: string, challenge: string): string[] {
  if (text.startsWith('SIP/2.0')) {
    const to = headerOf(text, 'To');
    const parts = { to, callId: headerOf(text, 'Call-ID'), cseq: 1 };
    return [
      requestOf('ACK', parts),
      requestOf('BYE', { ...parts, cseq: 2 }),
      requestOf('INVITE', { ...parts, cseq: 3, body: SDP('sendonly') }),
      requestOf('UPDATE', { ...parts, cseq: 4, body: SDP('inactive') }),
      requestOf('CANCEL', parts),
    ];
  }
  const dialog = {
    callId: headerOf(text, 'Call-ID'),
    from: `${headerOf(text, 'To')};tag=peer`,
    to: headerOf(text, 'From'),
  };
  return [
    responseTo(text, 200, 'OK', {
      contact: '<sip:bob@192.0.2.2>',
      body: SDP(),
      headers: ['Record-Route: <sip:p@192.0.2.3;lr>'],
    }),
    responseTo(text, 200, 'OK', { contact: '<sip:bob@192.0.2.2>', toTag: 'fork' }),
    responseTo(text, 180, 'Ringing'),
    responseTo(text, 401, 'Unauthorized', { headers: [challenge] }),
    responseTo(text, 407, 'Proxy', { headers: [challenge.replace('WWW', 'Proxy')] }),
    responseTo(text, 423, 'Interval Too Brief', { headers: ['Min-Expires: 90'] }),
    responseTo(text, 487, 'Request Terminated'),
    requestOf('INVITE', { body: SDP(), headers: ['Record-Route: <sip:p;lr>', 'Supported: 100rel'] }),
    requestOf('BYE', { ...dialog, cseq: 9 }),
    requestOf('INVITE', { ...dialog, cseq: 8, body: SDP('sendonly') }),
  ];
}

t.test('the largest datagrams of the worst kind cost what their length costs', (t) => {
  const head =
    'INVITE sip:alice@192.0.2.1 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKworst\r\nCall-ID: w\r\nCSeq: 1 INVITE\r\n';
  const ends = 'From: <sip:a@b>;tag=1\r\nTo: <sip:alice@192.0.2.1>\r\nContact: <sip:a@192.0.2.2>\r\n';
  const rowsOf = (filling: (piece: string) => string): Record<string, string> => ({
    'lines without a colon': `${head}${ends}${filling('a\r\n')}\r\n`,
    'spaces in a value': `${head}${ends}Accept: a${filling(' ')}b\r\n\r\n`,
    'spaces after a semicolon': `${head}${ends}Contact: <sip:a@b>;${filling(' ')}x y\r\n\r\n`,
    'a value folded for ever': `${head}${ends}Accept: a${filling('\r\n ')}\r\n\r\n`,
    'quotes without end': `${head}${ends.replace('<sip:a@b>', filling('"'))}\r\n`,
    'angle brackets': `${head}${ends.replace('<sip:a@b>', filling('<'))}\r\n`,
    'escaped quotes': `${head}${ends.replace('tag=1', `x="${filling('\\"')}`)}\r\n`,
    'semicolons in Via': `${head.replace('z9hG4bKworst', `x${filling(';a')}`)}${ends}\r\n`,
    'parameters of spaces': `${head}${ends.replace('tag=1', filling('a = b ; '))}!\r\n\r\n`,
    'commas in Via': `${head.replace('z9hG4bKworst', `x${filling(',')}`)}${ends}\r\n`,
    'a host of hyphens': `${head.replace('alice@192.0.2.1', `a@${filling('a-')}`)}${ends}\r\n`,
    'many Contacts': `${head}${ends}${filling('m: <sip:a@b>\r\n')}\r\n`,
  });
  const [large, small] = [60_000, 15_000].map((bytes) =>
    rowsOf((piece) => piece.repeat(Math.floor(bytes / piece.length))),
  ) as [Record<string, string>, Record<string, string>];
  for (const what of Object.keys(large)) {
    const errors: unknown[] = [];
    const times = growth((share) => {
      const text = (share === 1 ? large : small)[what] as string;
      const virtual = new VirtualEngine();
      virtual.agent();
      virtual.receive(text);
      virtual.receive(text.replace('INVITE sip:alice@192.0.2.1 SIP/2.0', 'SIP/2.0 200 OK'));
      errors.push(...virtual.errors);
    });
    t.same(errors, [], what);
    t.ok(times <= LINEAR, `${what}: four times as many take ${times.toFixed(1)} times the CPU`);
  }
  t.end();
});
