/** What a call's owner learns of its end: the peer's own reasons, and the result of our BYE. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import {
  CallLog,
  headerOf,
  PEER,
  RegistrationLog,
  requestOf,
  responseTo,
  SDP,
  tagOf,
  VirtualEngine,
} from '../../../testing/sip/virtual.ts';
import { answered, CONTACT, calling } from '../../../testing/sip/virtual-call.ts';
import { ENDS, type Up } from '../../../testing/sip/virtual-dialog.ts';
import type { ByeDetails, Explanation, IncomingCall } from '../../engine.ts';

const NOTHING: Explanation = { q850: 0, reason: '', warning: '', retryAfterSeconds: 0 };
/** Header lines of the peer's last message, and their meaning. */
const WORDS: readonly (readonly [headers: string[], told: Explanation | null])[] = [
  [[], null],
  [['Reason: Q.850;cause=34;text="No circuit available"'], { ...NOTHING, q850: 34, reason: 'No circuit available' }],
  [['Warning: 399 gw.example "trunk group 7 full"'], { ...NOTHING, warning: '399 trunk group 7 full' }],
  [
    ['Reason: SIP;cause=503;text="upstream", Q.850;cause=38', 'Retry-After: 60'],
    { q850: 38, reason: 'SIP 503: upstream', warning: '', retryAfterSeconds: 60 },
  ],
];
const ELSEWHERE = 'Reason: SIP;cause=200;text="Call completed elsewhere"';
const COMPLETED_ELSEWHERE: Explanation = { ...NOTHING, reason: 'SIP 200: Call completed elsewhere' };

t.test('a final response to INVITE says why', async (t) => {
  for (const status of [302, 403, 404, 408, 480, 486, 488, 500, 503, 600, 603]) {
    for (const [headers, told] of WORDS) {
      const { virtual, log, invite } = calling();
      virtual.receive(responseTo(invite, 183, 'Session Progress'));
      virtual.receive(responseTo(invite, status, 'No', { headers }));
      virtual.take('ACK');
      const at = `${status} with ${headers}`;
      t.equal(log.failures.length, 1, at);
      t.same(log.failures[0]?.explanation, told, at);
      t.equal(
        log.failures[0]?.retryAfterSeconds,
        status === 503 && told !== null && told.retryAfterSeconds > 0 ? told.retryAfterSeconds : undefined,
        at,
      );
    }
  }
});

t.test('a provisional response says why before a final one that says less (RFC 6432, 4)', async (t) => {
  const early = ['Reason: Q.850;cause=34;text="No circuit/channel available",SIP;cause=503'];
  const { virtual, log, invite } = calling();
  virtual.receive(responseTo(invite, 183, 'Session Progress', { headers: early }));
  virtual.receive(
    responseTo(invite, 480, 'Temporarily Unavailable', {
      headers: [
        'Reason: X.int;reasoncode=0x0000030A',
        'Reason: Q.850;cause=31;text="Normal, unspecified; see log"',
        'Warning:',
      ],
    }),
  );
  t.match(log.failures[0]?.explanation, {
    q850: 34,
    reason: 'Q.850 31: Normal, unspecified; see log; in the 183 before: No circuit/channel available; SIP 503',
  });
  const silent = calling();
  silent.virtual.receive(responseTo(silent.invite, 183, 'Session Progress', { headers: early }));
  silent.virtual.receive(responseTo(silent.invite, 180, 'Ringing'));
  silent.call.hangUp();
  silent.virtual.advance(1);
  silent.virtual.receive(responseTo(silent.invite, 487, 'Request Terminated'));
  t.match(silent.log.failures[0]?.explanation, { q850: 34, reason: /^in the 183 before: No circuit/ });
  const again = calling();
  again.virtual.receive(responseTo(again.invite, 183, 'Session Progress', { headers: early }));
  const challenge = 'Proxy-Authenticate: Digest realm="r", nonce="n"';
  again.virtual.receive(responseTo(again.invite, 407, 'Proxy', { headers: [challenge] }));
  again.virtual.take('ACK');
  again.virtual.receive(responseTo(again.virtual.take('INVITE'), 486, 'Busy Here'));
  t.equal(again.log.failures[0]?.explanation ?? null, null, 'another INVITE has reasons of its own');
});

t.test('the last of several final responses counts', async (t) => {
  const { virtual, log, invite } = calling();
  const challenge = 'Proxy-Authenticate: Digest realm="r", nonce="n"';
  virtual.receive(responseTo(invite, 407, 'Proxy', { headers: [challenge, 'Warning: 399 p "no credentials"'] }));
  virtual.take('ACK');
  const again = virtual.take('INVITE');
  virtual.receive(responseTo(again, 404, 'Not Found', { headers: ['Reason: Q.850;cause=1'] }));
  t.same(log.failures[0]?.explanation, { ...NOTHING, q850: 1 });
});

t.test('so does a 487 to our CANCEL, and what crosses it', async (t) => {
  for (const [status, event] of [
    [487, 'failed CANCELLED 487'],
    [486, 'failed STATUS 486'],
  ] as const) {
    const { virtual, log, call, invite } = calling();
    virtual.receive(responseTo(invite, 180, 'Ringing'));
    call.hangUp();
    virtual.take('CANCEL');
    virtual.receive(responseTo(invite, status, 'No', { headers: ['Reason: Q.850;cause=31'] }));
    t.equal(log.events.at(-1), event);
    t.same(log.failures[0]?.explanation, { ...NOTHING, q850: 31 });
  }
});

t.test('silence and a broken transport explain nothing', async (t) => {
  const silent = calling();
  silent.virtual.advance(33_000);
  const refused = calling();
  refused.virtual.refuse(refused.invite, 'ECONNREFUSED');
  for (const { log } of [silent, refused]) {
    t.equal(log.failures.length, 1);
    t.equal(log.failures[0]?.explanation ?? null, null, log.failures[0]?.reason ?? '');
  }
});

t.test('a refused registration says why', async (t) => {
  for (const [headers, told] of WORDS) {
    const virtual = new VirtualEngine();
    const log = new RegistrationLog();
    virtual.agent().register(60, log);
    virtual.receive(responseTo(virtual.take('REGISTER'), 403, 'Forbidden', { headers }));
    t.same(log.failures[0]?.explanation, told, String(headers));
  }
});

/** A call that rings at our end. */
function ringing(headers: string[] = []): { virtual: VirtualEngine; log: CallLog; call: IncomingCall; invite: string } {
  const virtual = new VirtualEngine();
  const log = new CallLog();
  const calls: IncomingCall[] = [];
  virtual.agent({
    onIncomingCall: (call) => {
      calls.push(call);
      call.ring();
      return log;
    },
  });
  const invite = requestOf('INVITE', { body: SDP(), branch: 'z9hG4bKring', headers });
  virtual.receive(invite);
  virtual.take('SIP/2.0 180');
  return { virtual, log, call: calls[0] as IncomingCall, invite };
}

t.test("the peer's CANCEL says why", async (t) => {
  for (const [headers, told] of [...WORDS, [[ELSEWHERE], COMPLETED_ELSEWHERE] as const]) {
    const { virtual, log } = ringing(['Reason: Q.850;cause=1;text="of the INVITE"']);
    virtual.receive(requestOf('CANCEL', { branch: 'z9hG4bKring', headers: [...headers], contact: null }));
    t.same(
      virtual.sent.map(({ text }) => text.slice(0, 11)),
      ['SIP/2.0 200', 'SIP/2.0 487'],
    );
    t.equal(log.events.at(-1), 'failed CANCELLED 487');
    t.same(log.failures[0]?.explanation, told, String(headers));
  }
});

t.test('so does a BYE in the early dialog (RFC 3261, 15)', async (t) => {
  const virtual = new VirtualEngine();
  const log = new CallLog();
  virtual.agent({
    onIncomingCall: (call) => {
      call.ring();
      return log;
    },
  });
  virtual.receive(requestOf('INVITE', { body: SDP() }));
  const to = headerOf(virtual.take('SIP/2.0 180'), 'To');
  t.not(tagOf(to), '');
  virtual.receive(requestOf('BYE', { to, cseq: 2, headers: [ELSEWHERE] }));
  t.equal(log.events.at(-1), 'failed CANCELLED 487');
  t.same(log.failures[0]?.explanation, COMPLETED_ELSEWHERE);
});

t.test('what we refuse ourselves has no words of the peer', async (t) => {
  const { virtual, log, call } = ringing(['Reason: Q.850;cause=1']);
  call.reject(486, 'Busy Here');
  virtual.take('SIP/2.0 486');
  t.equal(log.failures[0]?.explanation ?? null, null);
});

const last = ({ log }: Pick<Up, 'log'>): ByeDetails | undefined => log.byes.at(-1);
const QUIET: ByeDetails = { byeStatus: 0, unanswered: '', explanation: null };

for (const [end, up] of ENDS) {
  t.test(`${end}: the peer's BYE says why`, async (t) => {
    for (const [headers, explanation] of WORDS) {
      const one = up();
      one.virtual.receive(one.within('BYE', { headers: [...headers] }));
      one.virtual.take('SIP/2.0 200');
      t.same(one.log.events, ['ended REMOTE']);
      t.same(last(one), { ...QUIET, explanation }, String(headers));
    }
  });

  t.test(`${end}: what the peer answers to BYE`, async (t) => {
    for (const status of [200, 202, 302, 403, 408, 481, 500, 503, 603]) {
      const one = up();
      one.call.hangUp();
      const bye = one.virtual.take('BYE');
      one.virtual.receive(responseTo(bye, 100, 'Trying'));
      t.same(one.log.byes, [], 'a provisional response ends nothing');
      // The reasons in the response to a BYE are ignored: the call is over.
      one.virtual.receive(responseTo(bye, status, 'x', { headers: ['Reason: Q.850;cause=16'] }));
      t.same(one.log.events, ['ended LOCAL']);
      t.same(one.log.byes, [{ ...QUIET, byeStatus: status }]);
      t.ok(one.log.byeRttMs >= 0, `${status}: answered`);
    }
  });

  t.test(`${end}: a challenge of BYE`, async (t) => {
    const challenge = 'Proxy-Authenticate: Digest realm="r", nonce="n"';
    for (const [status, headers] of [
      [200, []],
      [407, [challenge]],
    ] as const) {
      const one = up();
      one.call.hangUp();
      one.virtual.receive(responseTo(one.virtual.take('BYE'), 407, 'Proxy', { headers: [challenge] }));
      t.same(one.log.byes, [], 'answered with credentials');
      one.virtual.receive(responseTo(one.virtual.take('BYE'), status, 'x', { headers: [...headers] }));
      t.same(one.log.byes, [{ ...QUIET, byeStatus: status }]);
    }
  });

  t.test(`${end}: nobody answers BYE`, async (t) => {
    const one = up();
    one.call.hangUp();
    const beganMs = one.virtual.nowMs;
    one.virtual.advance(31_999);
    t.same(one.log.byes, [], 'not yet');
    one.virtual.advance(2);
    t.same(one.log.events, ['ended LOCAL']);
    t.same(one.log.byes, [{ ...QUIET, unanswered: 'no final response to BYE within 32 s' }]);
    t.ok(Number.isNaN(one.log.byeRttMs), 'no round trip');
    t.ok((one.log.atMs.at(-1) as number) > beganMs || Number.isNaN(one.log.atMs.at(-1)), 'no instant');
  });

  t.test(`${end}: BYE cannot be delivered`, async (t) => {
    const one = up();
    one.call.hangUp();
    one.virtual.refuse(one.virtual.take('BYE'), 'ECONNREFUSED');
    t.same(one.log.events, ['ended LOCAL']);
    t.match(last(one), { byeStatus: 0, unanswered: /ECONNREFUSED/, explanation: null });
  });

  t.test(`${end}: the owner's policy forbids our BYE: the peer is not to blame`, async (t) => {
    const policy = { isOpen: true };
    const one = up({ engine: { mayReach: () => policy.isOpen, mayLeave: () => policy.isOpen } });
    policy.isOpen = false;
    one.call.hangUp();
    one.virtual.advance(1);
    t.equal(one.virtual.sent.length, 0);
    t.same(one.log.byes, [QUIET]);
  });

  t.test(`${end}: BYEs that cross: the peer's answer to ours says nothing of its end`, async (t) => {
    for (const answer of [200, 481, 408, null]) {
      const one = up();
      one.call.hangUp();
      const bye = one.virtual.take('BYE');
      one.virtual.receive(one.within('BYE', { headers: ['Reason: Q.850;cause=16;text="done"'] }));
      one.virtual.take('SIP/2.0 200');
      if (answer === null) one.virtual.advance(33_000);
      else one.virtual.receive(responseTo(bye, answer, 'x'));
      t.same(one.log.events, ['ended LOCAL'], `${answer}`);
      t.same(one.log.byes, [{ ...QUIET, explanation: { ...NOTHING, q850: 16, reason: 'done' } }], `${answer}`);
    }
  });

  t.test(`${end}: the engine closes`, async (t) => {
    const one = up();
    one.virtual.engine.close();
    t.same(one.log.byes, [QUIET], 'nobody waits for an answer to our BYE');
  });

  t.test(`${end}: a 2xx to a re-INVITE that is not acknowledged ends the call by our BYE`, async (t) => {
    const one = up();
    one.virtual.receive(one.within('INVITE', { body: SDP('sendonly', PEER.address, 2) }));
    one.virtual.take('SIP/2.0 200');
    one.virtual.advance(33_000);
    const bye = one.virtual.sent.find(({ text }) => text.startsWith('BYE'));
    t.ok(bye, 'RFC 3261, 14.2');
    one.virtual.receive(responseTo(bye?.text ?? '', 481, 'Gone'));
    t.same(one.log.byes, [{ ...QUIET, byeStatus: 481 }]);
  });
}

t.test('a 2xx that crosses our CANCEL: the BYE does not end a call', async (t) => {
  const { virtual, log, call, invite } = calling();
  virtual.receive(responseTo(invite, 180, 'Ringing'));
  call.hangUp();
  virtual.take('CANCEL');
  virtual.receive(responseTo(invite, 200, 'OK', { contact: CONTACT, headers: ['Warning: 399 gw "late"'] }));
  virtual.take('ACK');
  virtual.receive(responseTo(virtual.take('BYE'), 481, 'Gone'));
  t.same([log.failures.length, log.byes.length], [1, 0]);
});

t.test('whatever happens to a call that is up, one end is reported', async () => {
  const step = fc.constantFrom('hangUp', 'bye', 'answer 200', 'answer 481', 'lose', 'wait', 'close');
  fc.assert(
    fc.property(fc.constantFrom(...ENDS), fc.array(step, { minLength: 1, maxLength: 8 }), ([, up], steps) => {
      const one = up();
      for (const step of [...steps, 'hangUp', 'wait']) {
        const bye = one.virtual.sent.find(({ text }) => text.startsWith('BYE'))?.text;
        if (step === 'hangUp') one.call.hangUp();
        else if (step === 'bye') one.virtual.receive(one.within('BYE', { headers: [ELSEWHERE] }));
        else if (step === 'wait') {
          one.virtual.nowMs += 33_000;
          one.virtual.engine.turn(one.virtual.nowMs);
        } else if (step === 'close') one.virtual.engine.close();
        else if (bye !== undefined && step === 'lose') one.virtual.refuse(bye, 'EHOSTUNREACH');
        else if (bye !== undefined) one.virtual.receive(responseTo(bye, Number(step.slice(7)), 'x'));
        one.virtual.engine.turn(one.virtual.nowMs);
      }
      const { byes, failures, events } = one.log;
      if (byes.length !== 1 || failures.length !== 0) throw new Error(events.join());
      const { byeStatus, unanswered } = byes[0] as ByeDetails;
      if (byeStatus !== 0 && unanswered !== '') throw new Error('answered, and not');
      if (events.includes('ended REMOTE') && byeStatus + unanswered.length > 0) throw new Error('a BYE of ours');
    }),
    { numRuns: 300 },
  );
});

t.test('a call of which all is well says so', async (t) => {
  const { virtual, log, call } = answered();
  call.hangUp();
  virtual.receive(responseTo(virtual.take('BYE'), 200, 'OK'));
  t.same(log.byes, [{ ...QUIET, byeStatus: 200 }]);
});
