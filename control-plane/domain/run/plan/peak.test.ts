/** Capacity is concurrent calls: what a plan needs at its peak, what each worker takes of it, and why there is no capacity. Properties. */
import { maxAtOnce } from '@carillon/proto/at-once.ts';
import type { Load } from '@carillon/proto/load/shapes/shapes.ts';
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { GroupBody } from '../../../contract/test-settings/test-body.ts';
import { instants } from '../load/load.ts';
import { deal } from '../load/timetable.ts';
import { capacityOf, leftToProbes, limitsOf, noRoom, RESERVE_SHARE } from './capacity.ts';
import { type Bearer, type Demand, distribute } from './distribute.ts';
import { CALL_MARGIN_MS, peaks } from './peak.ts';

const whole = (min: number, max: number) => fc.integer({ min, max });

t.test('most at once', (t) => {
  const slow = (starts: readonly number[], lastsMs: number): number =>
    Math.max(0, ...starts.map((at) => starts.filter((other) => other <= at && at < other + lastsMs).length));
  fc.assert(
    fc.property(fc.array(whole(0, 500), { maxLength: 60 }), whole(1, 200), (starts, lastsMs) => {
      t.equal(maxAtOnce(starts, lastsMs), slow(starts, lastsMs));
    }),
  );
  t.end();
});

type GroupSize = {
  readonly name: string;
  readonly callers?: number;
  readonly callees?: number;
  readonly calls?: string;
};

function config(load: Load, groups: readonly GroupSize[], more: object = {}): Pick<TestConfig, 'groups' | 'load'> {
  const made = groups.map(({ name, callers, callees, calls }) =>
    GroupBody.parse({
      name,
      id: name,
      registrarId: name,
      callee:
        callees !== undefined
          ? { mode: 'RECEIVE' }
          : calls === undefined
            ? { mode: 'EXTERNAL_URI', uri: 'sip:9@pbx' }
            : { mode: 'GROUP', groupId: calls },
      placement: { mode: 'REGION', region: 'local' },
      subPopulations: [
        {
          id: `${name} all`,
          name: 'all',
          role: callees === undefined ? 'CALLER' : 'CALLEE',
          endpoints: callees ?? callers,
        },
      ],
      ...(callees === undefined ? {} : more),
    }),
  );
  return { load, groups: made as unknown as TestConfig['groups'] };
}
const times = (durationSeconds: number, buildupSeconds = 0) => ({ durationSeconds, buildupSeconds });
const nobody = () => false;

t.test('a plan needs what goes on at once, its number of calls beside', (t) => {
  fc.assert(
    fc.property(whole(1, 3000), whole(1, 100), whole(1, 60), (calls, callsPerSecond, seconds) => {
      const load: Load = { shape: 'RATE', callsPerSecond };
      const [peak = 0] = peaks(config(load, [{ name: 'a', callers: calls }]), times(seconds), nobody).values();
      const most = Math.ceil(callsPerSecond * (seconds + CALL_MARGIN_MS / 1000)) + 1;
      t.ok(peak <= Math.min(calls, most) && peak >= Math.min(calls, callsPerSecond * seconds), `${peak} of ${most}`);
      const longer = peaks(config(load, [{ name: 'a', callers: calls }]), times(seconds + 1), nobody).get('a all') ?? 0;
      t.ok(longer >= peak, 'longer calls are more at once');
    }),
    { numRuns: 50 },
  );
  const two = { name: 'b', callees: 500 };
  const load: Load = { shape: 'RATE', callsPerSecond: 10 };
  const calling = config(load, [{ name: 'a', callers: 500, calls: 'b' }, two]);
  const found = peaks(calling, times(2), nobody);
  t.equal(found.get('a all'), 45);
  t.equal(found.get('b all'), 45, 'callees answer no more calls than there are');
  t.equal(peaks(calling, times(2), (id) => id === 'b').get('b all'), 500, 'bindings last as long as the run');
  t.equal(peaks(config(load, [two]), times(2), nobody).get('b all'), 500, 'strangers call when they like');
  t.equal(peaks(calling, times(2), (id) => id === 'a').get('a all'), 55, 'a caller registers before');
  const slow = config(load, [{ name: 'a', callers: 500, calls: 'b' }, two], { signalling: { ringSeconds: 3 } });
  t.equal(peaks(slow, times(2), nobody).get('a all'), 75, 'ringing takes its time');
  const at = peaks(config({ shape: 'BUILDUP' }, [{ name: 'a', callers: 70 }]), times(1), nobody).get('a all');
  t.equal(at, 70, 'all at once');
  t.end();
});

const bearer = (workerId: string, capacity: number, more: Partial<Bearer> = {}): Bearer => ({
  ...{ workerId, capacity, reserved: 0, streamCapacity: capacity, reservedStreams: 0 },
  ...more,
});

t.test('what a worker is given fits, and what it is given is what its part needs at once', (t) => {
  fc.assert(
    fc.property(
      fc.array(whole(5, 200), { minLength: 1, maxLength: 4 }),
      whole(1, 1000),
      whole(1, 50),
      whole(1, 20),
      (capacities, calls, callsPerSecond, seconds) => {
        const load: Load = { shape: 'RATE', callsPerSecond };
        const atOnce = peaks(config(load, [{ name: 'a', callers: calls }]), times(seconds), nobody).get('a all') ?? 0;
        const eligible = capacities.map((_, i) => `w${i}`);
        const demand: Demand = {
          subPopulationId: 'a',
          endpoints: calls,
          atOnce,
          streams: 1,
          receives: false,
          eligible,
        };
        const result = distribute(
          [demand],
          capacities.map((capacity, i) => bearer(`w${i}`, capacity)),
        );
        const room = capacities.reduce((sum, capacity) => sum + capacity, 0);
        if ('shortOf' in result) {
          t.ok(atOnce + 2 * capacities.length > room, `${atOnce} at once do not fit ${room}`);
          return;
        }
        const sizes = result.parts.map(({ endpoints }) => endpoints);
        t.equal(
          sizes.reduce((sum, size) => sum + size, 0),
          calls,
        );
        const starts = deal(
          sizes,
          instants(load, calls, 0),
          sizes.map(() => false),
        );
        for (const [i, part] of result.parts.entries()) {
          const calls = (starts[i] ?? []).map(({ callAtMs }) => callAtMs);
          t.ok(maxAtOnce(calls, seconds * 1000 + CALL_MARGIN_MS) <= part.atOnce, 'its own timetable needs no more');
          t.ok(part.atOnce <= (capacities[eligible.indexOf(part.workerId)] ?? 0), 'it fits');
        }
      },
    ),
    { numRuns: 60 },
  );
  const many = { subPopulationId: 'a', endpoints: 300_000, atOnce: 900, streams: 1, receives: false, eligible: ['a'] };
  t.match(distribute([many], [bearer('a', 1000)]), { parts: [{ endpoints: 300_000, atOnce: 900 }] });
  t.match(
    distribute([{ ...many, endpoints: 3000 }], [bearer('a', 1000, { countsEndpoints: true })]),
    { shortOf: { room: 900 } },
    'an older agent makes room for each',
  );
  t.match(distribute([many], [bearer('a', 1000, { reserved: 200 })]), {
    shortOf: { demand: { atOnce: 900 }, room: 800 },
  });
  t.end();
});

t.test('what limits a worker, what is left to probes, and what a refusal says', (t) => {
  const limits = { own: 1000, openFileStreams: 412, portStreams: 8192 };
  const worker = {
    name: 'edge-1',
    capacity: 2000,
    reserved: 12,
    hello: { capacity: 1000, streamCapacity: 412, policy: { maxEndpoints: 500 }, limits },
  };
  t.same(
    [0, 1, 2].map((streams) => capacityOf(worker, streams)),
    [500, 412, 206],
    'media need files and ports, and registrations do not',
  );
  const figures = (streams?: number) => limitsOf(worker, streams).map(({ limit, endpoints }) => ({ limit, endpoints }));
  t.same(figures(), [
    { limit: 'OPEN_FILES', endpoints: 412 },
    { limit: 'POLICY', endpoints: 500 },
    { limit: 'AGENT', endpoints: 1000 },
    { limit: 'CONFIGURED', endpoints: 2000 },
    { limit: 'PORTS', endpoints: 8192 },
  ]);
  t.match(limitsOf({ capacity: 10, hello: {} }), [{ limit: 'CONFIGURED', endpoints: 10 }], 'nobody has come yet');
  t.same(figures(2)[0], { limit: 'OPEN_FILES', endpoints: 206 }, 'of audio and video');
  t.same(
    figures(0).map(({ limit }) => limit),
    ['POLICY', 'AGENT', 'CONFIGURED'],
  );
  t.same(
    [1000, 10].map((capacity) => leftToProbes(capacity, RESERVE_SHARE.load)),
    [50, 0],
    'of a small one nothing',
  );
  const short = { group: 'callers', endpoints: 2000, atOnce: 450, room: 380, streams: 1, lasts: false };
  const said = noRoom(short, [worker], 'in region local', RESERVE_SHARE.load);
  for (const part of [
    'up to 450 of its 2000',
    'room for 380',
    'edge-1 carries 412, 12 in use, 20 left to probes',
    'ulimit',
  ])
    t.ok(said.includes(part), `${part}: ${said}`);
  t.match(said, /spread the calls over more time\.$/);
  t.notMatch(noRoom(short, [worker], '', 0), /left to probes/);
  const lasting = noRoom({ ...short, streams: 2, lasts: true }, [worker], '', RESERVE_SHARE.load);
  t.match(lasting, /edge-1 carries 206 of 2 streams, 12 in use, 10 left to probes.*reduce the simultaneous calls/);
  t.end();
});
