/** What a record says of streams that lose, pause, stop, and whose packets are not as long as was agreed. */
import t from 'tap';
import {
  createNode,
  end,
  HERE,
  isRtp,
  Network,
  open,
  PCMU,
  run,
  seeded,
  sequenceOf,
  THERE,
} from '../../testing/rtp/simulation.ts';

/** Two nodes; `path` decides what of the peer's packets arrives, by its place and number. */
function heard(packetMs: number, seconds: number, arrives: (n: number, sequence: number) => boolean) {
  const network = new Network();
  const here = createNode(network, { random: seeded(1), rtcpMinimumMs: 500 });
  const there = createNode(network, { random: seeded(2), rtcpMinimumMs: 500 });
  const [ours] = open(here, HERE, 1);
  const [theirs] = open(there, THERE, 1);
  let n = -1;
  network.path = ({ from, bytes }) =>
    !from.startsWith(THERE) || !isRtp(bytes) || arrives(++n, sequenceOf(bytes)) ? [0.05] : [];
  const remote = (address: string, port: number) => ({ address, rtpPort: port, rtcpPort: port + 1 });
  here.loop.start(ours!.row, {
    remote: remote(THERE, theirs!.rtpPort),
    format: PCMU,
    source: 'TONE',
    direction: 'BOTH',
  });
  here.loop.expect(ours!.row, true);
  there.loop.start(theirs!.row, {
    remote: remote(HERE, ours!.rtpPort),
    format: { ...PCMU, packetMs },
    source: 'TONE',
    direction: 'BOTH',
  });
  run(network, [here, there], seconds * 1000);
  return end(network, here)[0]!;
}

t.test('durations go by the packets that came, not by what was agreed', async (t) => {
  for (const packetMs of [10, 20, 30, 40]) {
    const r = heard(packetMs, 12, (n) => n % 10 !== 5 && !(n >= 100 && n < 103));
    const lost = r.numbered - r.packetsReceived;
    t.equal(r.packetMs, packetMs);
    t.equal(r.lost, lost);
    t.equal(r.plcMs, lost * packetMs, `${lost} packets of ${packetMs} ms were concealed`);
    t.equal(r.fixed.plcMaxMs, 3 * packetMs);
    t.ok(Math.abs(r.absence.absentMs - lost * packetMs) < 1e-6, `${r.absence.absentMs}`);
    t.ok(r.absence.awaitedMs > 11_990, 'and the rest was heard');
  }
});

t.test('MOS rates what was sent: an outage is time, not a rating', async (t) => {
  const clean = heard(20, 10, () => true);
  const stopped = heard(20, 10, (n) => n < 200);
  t.equal(stopped.mos.toFixed(3), clean.mos.toFixed(3));
  t.match(stopped, { lost: 0, plcMs: 0, paused: 0 });
  t.ok(Math.abs(stopped.absence.tailMs - 6000) <= 40, `${stopped.absence.tailMs} ms`);
  t.ok(Math.abs(stopped.absence.absentMs - stopped.absence.tailMs) < 1e-6, `${stopped.absence.absentMs} ms`);
  t.equal(stopped.expected, stopped.packetsReceived + stopped.absent);
  const late = heard(20, 10, (n) => n >= 200);
  t.equal(late.mos.toFixed(3), clean.mos.toFixed(3));
  t.ok(Math.abs(late.absence.headMs - 4000) <= 40 && late.lost === 0, `${late.absence.headMs} ms`);
  const none = heard(20, 5, () => false);
  t.ok(Number.isNaN(none.mos), 'and where nothing came, there is nothing to rate');
  t.match(none, { lost: 0, numbered: 0, absence: { headMs: none.absence.awaitedMs } });
  const hole = heard(20, 10, (n) => n < 200 || n >= 300);
  t.match(hole, { lost: 100, absent: 0, paused: 0, absence: { gaps: 1, gapLost: 100 } });
  t.ok(hole.mos < 3, 'what was sent and lost is rated');
});
