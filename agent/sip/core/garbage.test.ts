/** A short flood of garbage; more of it, at real ports, is `npm run prove -- garbage`. */
import t from 'tap';
import { bombardSip } from '../../testing/sip/garbage.ts';
import { bombardStreams } from '../../testing/sip/garbage-streams.ts';

t.test('mutated messages: each is answered, absorbed or counted, and none is an exception', (t) => {
  const messages = 40_000;
  const { lost, internalErrors, ...fates } = bombardSip(messages, 7);
  t.same([lost, internalErrors], [0, 0]);
  t.equal(
    Object.values(fates).reduce((sum, count) => sum + count, 0),
    messages,
  );
  for (const [fate, count] of Object.entries(fates)) {
    if (fate !== 'keepAlives') t.ok(count > messages / 200, `${fate}: ${count}, the mutations reach it`);
  }
  t.end();
});

t.test(
  'mutated messages over TCP, in pieces: faulty connections end, right requests are answered, nothing is kept',
  (t) => {
    const { messages, pieces, ended, answers, ...rest } = bombardStreams(20_000, 7);
    t.same(rest, { strange: 0, internalErrors: 0, isUp: true, pendingBytes: 0, connections: 0 });
    t.ok(pieces > messages && ended > messages / 200 && answers > messages / 200, `${pieces} ${ended} ${answers}`);
    t.end();
  },
);
