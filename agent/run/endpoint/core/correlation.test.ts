/** Correlation of both ends of a call: the header in INVITEs, what a callee accepts from it, and what it does not. */

import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { endpoint, PairWorld, sharePlan } from '../../../testing/run/pair.ts';
import { CallLog, headerOf, LOCAL, PEER, SDP, VirtualEngine } from '../../../testing/sip/virtual.ts';
import { callerOf, callName } from './call-name.ts';

const RUN = '0198c0ffee'.padEnd(32, '0');

t.test('a name is read as it was written, and nothing else is a name', async (t) => {
  fc.assert(fc.property(fc.nat(9_999_999), (number) => callerOf(callName(RUN, number), RUN) === number));
  const strange = [
    '',
    'x',
    RUN,
    `${RUN}/`,
    `${RUN}/-1`,
    `${RUN}/1/2`,
    ` ${RUN}/1`,
    `${RUN}/12345678`,
    `${'f'.repeat(32)}/1`,
  ];
  for (const header of strange) t.equal(callerOf(header, RUN), null, header);
  fc.assert(fc.property(fc.string(), (header) => callerOf(header, RUN) === null));
});

t.test('the INVITE carries it where it is asked for, and the callee is told what it says', async (t) => {
  const virtual = new VirtualEngine();
  const target = `sip:bob@${PEER.address}:${PEER.port}`;
  virtual.agent({ correlation: `${RUN}/7` }).invite(target, SDP(), new CallLog());
  t.equal(headerOf(virtual.take('INVITE'), 'X-Carillon-Call'), `${RUN}/7`);
  const heard: string[] = [];
  virtual
    .agent({
      contactUser: 'bob',
      onIncomingCall: ({ correlation }) => {
        heard.push(correlation);
        return null;
      },
    })
    .invite(target, SDP(), new CallLog());
  t.equal(headerOf(virtual.take('INVITE'), 'X-Carillon-Call'), '', 'not unless asked for');
  for (const [i, line] of ['x-carillon-call : a/1\r\n', ''].entries())
    virtual.receive(
      `INVITE sip:bob@${LOCAL.address} SIP/2.0\r\nVia: SIP/2.0/UDP ${PEER.address};branch=z9hG4bK${i}\r\nMax-Forwards: 70\r\nFrom: <sip:p@h>;tag=1\r\nTo: <sip:bob@h>\r\nCall-ID: c${i}\r\nCSeq: 1 INVITE\r\nContact: <sip:p@${PEER.address}>\r\n${line}Content-Length: 0\r\n\r\n`,
    );
  t.same(heard, ['a/1', '']);
});

t.test('a callee knows its caller; behind a PBX that takes the header out, nobody does', async (t) => {
  for (const [passes, correlate, run, peer] of [
    [true, true, RUN, 0],
    [false, true, RUN, null],
    [true, false, RUN, null],
    [true, true, 'f'.repeat(32), null],
  ] as const) {
    const world = new PairWorld();
    world.passesHeaders = passes;
    const callee = endpoint(1, { user: 'callee' });
    await world.open(sharePlan('CALLEE', { correlate }, { run, endpoints: [callee] }));
    const caller = endpoint(0, { targetUri: 'sip:callee@127.0.0.1' });
    await world.open(sharePlan('CALLER', { correlate }, { run: RUN, endpoints: [caller] }));
    world.start();
    world.go(20_000);
    const what = `passed on: ${passes}, asked for: ${correlate}, of the run: ${run === RUN}`;
    t.same(
      world.outcomes.map((o) => [o.outcome, o.peer]),
      [
        ['SUCCESS', null],
        ['SUCCESS', peer],
      ],
      what,
    );
  }
});
