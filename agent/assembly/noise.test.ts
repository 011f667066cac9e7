/** What the agent measures about its own threads. */
import t from 'tap';
import type { SignallingNoise } from '../run/report/noise.ts';
import { AgentNoise } from './noise.ts';

const ONE: SignallingNoise = {
  op: 'noise',
  loopDelayMs: { bucket: [], count: [], sum: 0, min: 0, max: 0 },
  threadCpu: 0,
  receiveDrops: 0,
  received: 0,
  activeEndpoints: 0,
  malformed: 1,
  refusedByPolicy: 2,
  unclaimed: 3,
  withheld: 4,
  refusedSteps: {},
  obstacle: null,
};

t.test('a signalling thread that tells nothing any more is silent, whatever the others do', (t) => {
  const noise = new AgentNoise({ memories: [], stamps: 'kernel' }, 0);
  t.equal(noise.silence(5000, 2), null, 'they have only begun');
  t.match(noise.silence(5001, 2), /^signalling thread 0 has been silent for 5 s/);
  for (let atMs = 1000; atMs <= 20_000; atMs += 1000) {
    noise.add(ONE, 0, atMs);
    if (atMs <= 10_000) noise.add(ONE, 1, atMs);
  }
  t.equal(noise.silence(15_000, 2), null);
  t.match(noise.silence(20_000, 2), /^signalling thread 1 has been silent for 10 s/);
  noise.add(ONE, 1, 20_001);
  t.equal(noise.silence(20_002, 2), null, 'and is back');
  t.equal(noise.obstacle('ONLINE', 20_002, 2), null);
  t.match(noise.obstacle('ONLINE', 30_000, 2), /^signalling thread 0 has been silent for 10 s/, 'it is not ready');
  t.equal(noise.obstacle('CONNECTING', 20_002, 2), 'not connected to the control plane');
  t.same(noise.strays, { malformed: 31, refusedByPolicy: 62, unclaimed: 93, withheld: 124 });
  t.end();
});

t.test('a signalling thread whose SIP engine is cut off makes the agent unready until it is back', (t) => {
  const noise = new AgentNoise({ memories: [], stamps: 'kernel' }, 0);
  const gone = 'not connected to the drachtio-server at 192.0.2.1:9022';
  noise.add(ONE, 0, 1000);
  noise.add({ ...ONE, obstacle: gone }, 1, 1000);
  t.equal(noise.obstacle('ONLINE', 1001, 2), gone);
  noise.add(ONE, 0, 2000);
  t.equal(noise.obstacle('ONLINE', 2001, 2), gone, 'whatever the other says');
  noise.add(ONE, 1, 2000);
  t.equal(noise.obstacle('ONLINE', 2001, 2), null);
  t.end();
});
