/** The messages of a call: both legs in one ladder, the clocks of their workers, SDP against its offer. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { clockBounds, type LadderMessage, ladderOf, offerOf } from './ladder-model.ts';
import { clockWords, pairWords } from './pair-words.ts';
import { sdpDifference, sdpOf } from './sdp.ts';

let n = 0;
const message = (
  endpointId: string,
  direction: 'SENT' | 'RECEIVED',
  what: string,
  more: Partial<LadderMessage> = {},
) => {
  const [method = '', status] = what.split(' ');
  n++;
  return {
    id: String(n),
    at: new Date(n * 10).toISOString(),
    endpointId,
    direction,
    method,
    statusCode: status === undefined ? null : Number(status),
    retransmission: false,
    peer: '192.0.2.1:5060',
    callId: 'c',
    lengthBytes: 500,
    ...more,
  } satisfies LadderMessage;
};

t.test('both legs of a call in one ladder', async (t) => {
  const direct = [
    message('a', 'SENT', 'INVITE', { peer: 'b:1' }),
    message('b', 'RECEIVED', 'INVITE', { peer: 'a:1' }),
    message('b', 'SENT', 'INVITE 200', { peer: 'a:1' }),
    message('a', 'RECEIVED', 'INVITE 200', { peer: 'b:1' }),
    message('a', 'SENT', 'ACK', { peer: 'b:1' }),
  ];
  const two = ladderOf(direct, { caller: 'a', callee: 'b' });
  t.same(
    two.columns.map((c) => c.title),
    ['Caller', 'Callee'],
  );
  t.same(
    two.rungs.map((r) => [r.message.method, r.from, r.to, r.seen !== null, r.deltaMs]),
    [
      ['INVITE', 0, 1, true, null],
      ['INVITE', 1, 0, true, 20],
      ['ACK', 0, 1, false, 20],
    ],
    'one rung for what both saw',
  );
  const proxied = direct.map((m, i) => ({ ...m, peer: 'pbx:5060', lengthBytes: 500 + i }));
  const three = ladderOf(proxied, { caller: 'a', callee: 'b' });
  t.same(
    three.columns.map((c) => c.title),
    ['Caller', 'pbx:5060', 'Callee'],
  );
  t.same(
    three.rungs.map((r) => [r.from, r.to]),
    [
      [0, 1],
      [1, 2],
      [2, 1],
      [1, 0],
      [0, 1],
    ],
  );
  const apart = direct.map((m, i) => ({ ...m, lengthBytes: i, callId: m.endpointId ?? '' }));
  t.equal(ladderOf(apart, { caller: 'a', callee: 'b' }).columns.length, 4, 'a back-to-back agent with two addresses');
  const alone = ladderOf(
    direct.filter((m) => m.endpointId === 'b'),
    { caller: null, callee: 'b' },
  );
  t.same(
    alone.rungs.map((r) => [r.from, r.to]),
    [
      [0, 1],
      [1, 0],
    ],
  );
  t.equal(offerOf(direct[3] as LadderMessage, direct)?.id, direct[0]?.id, 'the INVITE of a 200');
  t.equal(offerOf(direct[4] as LadderMessage, direct)?.id, direct[3]?.id, 'the 200 of an ACK');
  t.equal(offerOf(direct[0] as LadderMessage, direct), null);
});

t.test('how far two clocks differ, as far as the messages of a call tell', async (t) => {
  type Row = readonly [endpoint: string, ms: number, direction: 'SENT' | 'RECEIVED', method: string, status?: number];
  const bounds = (rows: readonly Row[]) =>
    clockBounds(
      rows.map(([endpointId, ms, direction, method, statusCode = null], i) => ({
        ...{ id: String(i), at: new Date(ms).toISOString(), endpointId, direction, method, statusCode },
        ...{ retransmission: false, peer: 'pbx', callId: endpointId, lengthBytes: 1 },
      })),
      { caller: 'a', callee: 'b' },
    );
  const called: Row[] = [
    ['a', 1000, 'SENT', 'INVITE'],
    ['b', 1030, 'RECEIVED', 'INVITE'],
  ];
  const answered: Row[] = [
    ['b', 1100, 'SENT', 'INVITE', 200],
    ['a', 1110, 'RECEIVED', 'INVITE', 200],
  ];
  t.same(bounds([...called, ...answered]), { minMs: -10, maxMs: 30 });
  const ended: Row[] = [
    ['a', 2000, 'SENT', 'BYE'],
    ['b', 2005, 'RECEIVED', 'BYE'],
  ];
  t.same(bounds([...called, ...answered, ...ended]), { minMs: -10, maxMs: 5 }, 'each message narrows it');
  t.equal(bounds(called), null);
  t.equal(
    bounds([...called, ['a', 1020, 'RECEIVED', 'INVITE', 200], ['b', 1100, 'SENT', 'INVITE', 200]]),
    null,
    'the server answered by itself',
  );
  t.match(clockWords({ minMs: -10, maxMs: 5 }), 'between −10 ms and +5 ms');
  t.match(clockWords(null), 'do not show');
  t.match(pairWords({ grounds: ['CALLED_NUMBER', 'TIME'] }), /^Deduced.*number that the caller dialed; both/);
});

t.test('SDP compared with its offer', async (t) => {
  const body = 'v=0\r\no=- 1\r\nm=audio 1\r\n';
  t.same(sdpOf(`INVITE sip:b SIP/2.0\r\nTo: b\r\n\r\n${body}`), ['v=0', 'o=- 1', 'm=audio 1']);
  t.equal(sdpOf('BYE sip:b SIP/2.0\r\n\r\n'), null);
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (offer, answer) => {
      const difference = sdpDifference(offer, answer);
      const of = (is: string) => difference.filter((l) => l.is === 'SAME' || l.is === is).map((l) => l.text);
      t.same([of('OFFER'), of('ANSWER')], [offer, answer], 'both can be read off it');
    }),
    { numRuns: 100 },
  );
});
