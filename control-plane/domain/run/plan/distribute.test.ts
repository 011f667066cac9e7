/** How the endpoints and loads of a run are divided among workers. */
import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import type { Group, TestConfig } from '../../../contract/test-settings/test.ts';
import { config, registrar } from '../../../testing/planned-tests.ts';
import { distribute, overRegions } from './distribute.ts';
import { planRun } from './plan.ts';

t.test('distribution', async (t) => {
  const bearers = fc.array(
    fc.record({
      capacity: fc.integer({ min: 1, max: 60 }),
      reserved: fc.integer({ min: 0, max: 60 }),
      streamCapacity: fc.integer({ min: 1, max: 120 }),
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  const demands = fc.array(fc.record({ endpoints: fc.integer({ min: 1, max: 80 }), receives: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(bearers, demands, (workers, wants) => {
      const all = workers.map((w, i) => ({
        workerId: `w${i}`,
        capacity: w.capacity,
        reserved: Math.min(w.reserved, w.capacity, w.streamCapacity),
        streamCapacity: w.streamCapacity,
        reservedStreams: Math.min(w.reserved, w.capacity, w.streamCapacity),
      }));
      const asked = wants.map((d, i) => ({
        ...d,
        atOnce: d.endpoints,
        streams: 1,
        subPopulationId: `s${i}`,
        eligible: all.map((w) => w.workerId),
      }));
      const result = distribute(asked, all);
      const room = all.reduce((n, w) => n + Math.min(w.capacity, w.streamCapacity) - w.reserved, 0);
      const wanted = wants.reduce((n, d) => n + d.endpoints, 0);
      if ('shortOf' in result) return wanted > room;
      const placed = (key: 'workerId' | 'subPopulationId', id: string) =>
        result.parts.filter((s) => s[key] === id).reduce((n, s) => n + s.endpoints, 0);
      return (
        wanted <= room &&
        all.every((w) => placed('workerId', w.workerId) + w.reserved <= Math.min(w.capacity, w.streamCapacity)) &&
        asked.every((d) => placed('subPopulationId', d.subPopulationId) === d.endpoints)
      );
    }),
  );
  const even = distribute(
    [{ subPopulationId: 's', endpoints: 30, atOnce: 30, streams: 1, receives: false, eligible: ['a', 'b', 'c'] }],
    [
      { workerId: 'a', capacity: 100, reserved: 50, streamCapacity: 200, reservedStreams: 50 },
      { workerId: 'b', capacity: 100, reserved: 30, streamCapacity: 200, reservedStreams: 30 },
      { workerId: 'c', capacity: 10, reserved: 0, streamCapacity: 20, reservedStreams: 0 },
    ],
  );
  t.same(even, {
    parts: [
      { subPopulationId: 's', workerId: 'c', endpoints: 5, atOnce: 5 },
      { subPopulationId: 's', workerId: 'b', endpoints: 22, atOnce: 22 },
      { subPopulationId: 's', workerId: 'a', endpoints: 3, atOnce: 3 },
    ],
  });
  const limited = { workerId: 'a', capacity: 100, reserved: 10, streamCapacity: 100, reservedStreams: 20 };
  const wide = { workerId: 'b', capacity: 30, reserved: 0, streamCapacity: 60, reservedStreams: 0 };
  const video = (endpoints: number) =>
    distribute(
      [{ subPopulationId: 's', endpoints, atOnce: endpoints, streams: 2, receives: false, eligible: ['a', 'b'] }],
      [limited, wide],
    );
  t.same(
    video(70),
    {
      parts: [
        { subPopulationId: 's', workerId: 'b', endpoints: 30, atOnce: 30 },
        { subPopulationId: 's', workerId: 'a', endpoints: 40, atOnce: 40 },
      ],
    },
    'an endpoint with video has two streams',
  );
  t.match(video(71), { shortOf: { demand: { subPopulationId: 's', endpoints: 71, atOnce: 71 }, room: 70 } });
  const gone = { subPopulationId: 's', endpoints: 1, atOnce: 1, streams: 1, receives: true, eligible: ['gone'] };
  t.same(distribute([gone], []), { shortOf: { demand: gone, room: 0 } });
});

t.test('a group in several regions is divided by their weights, and within a region by capacity', async (t) => {
  const weights = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 6 });
  const capacities = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 });
  const sizes = fc.integer({ min: 1, max: 500 });
  fc.assert(
    fc.property(weights, sizes, capacities, fc.boolean(), (all, endpoints, ofEach, receives) => {
      const regions = Object.fromEntries(all.map((weight, i) => [`r${i}`, weight]));
      const sum = all.reduce((n, weight) => n + weight, 0);
      const bearers = all.flatMap((_, i) =>
        ofEach.map((capacity, j) => ({
          ...{ workerId: `r${i} w${j}`, capacity, reserved: 0, streamCapacity: 2 * capacity, reservedStreams: 0 },
        })),
      );
      const demand = { subPopulationId: 's', endpoints, atOnce: endpoints, streams: 1, receives, eligible: [] };
      const demands = overRegions(demand, regions, (region) =>
        bearers.flatMap(({ workerId }) => (workerId.startsWith(`${region} `) ? [workerId] : [])),
      );
      const wanted = (region: string): number => demands.find((d) => d.region === region)?.endpoints ?? 0;
      t.equal(
        demands.reduce((n, d) => n + d.endpoints, 0),
        endpoints,
        'all of them',
      );
      for (const [region, weight] of Object.entries(regions))
        t.ok(Math.abs(wanted(region) - (endpoints * weight) / sum) < 1, 'within one of its weight');
      const room = ofEach.reduce((n, capacity) => n + capacity, 0);
      const drawn = distribute(demands, bearers);
      if ('shortOf' in drawn) {
        t.ok(wanted(drawn.shortOf.demand.region ?? '') > room, 'a region is short only of its own room');
        t.equal(drawn.shortOf.room, room);
        return;
      }
      for (const region of Object.keys(regions)) {
        const parts = drawn.parts.filter(({ workerId }) => workerId.startsWith(`${region} `));
        t.equal(
          parts.reduce((n, part) => n + part.endpoints, 0),
          wanted(region),
          'no region carries what is of another',
        );
        for (const [j, capacity] of ofEach.entries()) {
          const part = parts.find(({ workerId }) => workerId === `${region} w${j}`)?.endpoints ?? 0;
          t.ok(part <= capacity, 'none above its capacity');
          t.ok(Math.abs(part - (wanted(region) * capacity) / room) <= ofEach.length, 'each its share');
        }
      }
    }),
    { numRuns: 100 },
  );
});

t.test('a load that goes on is dealt to the instances, each a part, and all of it', async (t) => {
  const { groups, ...rest } = config('trunk', 'trunk');
  const [group] = groups as [Group];
  const draw = (calls: number | null, load: TestConfig['load']) => {
    const callers = { ...group, callee: { mode: 'EXTERNAL_URI' as const, uri: 'sip:9@10.1.1.1' } };
    const subPopulations = [
      { id: 's1', name: 'all', role: 'CALLER' as const, endpoints: 5, calls, sipAccountIds: null },
      { id: 's2', name: 'more', role: 'CALLER' as const, endpoints: 2, calls, sipAccountIds: null },
    ];
    let n = 0;
    return planRun({
      config: { ...rest, load, groups: [{ ...callers, subPopulations }] },
      buildupSeconds: 60,
      parts: [
        { subPopulationId: 's1', workerId: 'w1', endpoints: 3, atOnce: 3 },
        { subPopulationId: 's1', workerId: 'w2', endpoints: 2, atOnce: 2 },
        { subPopulationId: 's2', workerId: 'w1', endpoints: 2, atOnce: 2 },
      ],
      listeners: new Map(['w1', 'w2'].map((id) => [id, [{ address: '10.0.0.1', port: 5060 }]])),
      registrars: new Map([['trunk', { ...registrar('trunk'), register: false }]]),
      accounts: new Map(),
      runToken: 'r',
      newId: () => `id${n++}`,
    });
  };
  const lasting = draw(null, { shape: 'RATE', callsPerSecond: 50, seconds: 60 });
  t.same(
    lasting.map(({ load }) => [load?.part, load?.callsEach]),
    [
      [{ from: 0, until: 3, of: 7 }, null],
      [{ from: 3, until: 5, of: 7 }, null],
      [{ from: 5, until: 7, of: 7 }, null],
    ],
  );
  t.match(lasting[0]?.load?.order, { shape: 'EVEN', steps: [{ seconds: 60, callsPerSecond: 50 }] });
  t.ok(lasting.every(({ endpoints }) => endpoints.every((e) => e.callAtMs === 0 && e.calleeUri === 'sip:9@10.1.1.1')));
  const thrice = draw(3, { shape: 'RATE', callsPerSecond: 50 });
  t.same(
    thrice.map(({ load }) => [load?.part.from, load?.part.until, load?.part.of, load?.callsEach, load?.order.calls]),
    [
      [0, 9, 21, 3, 21],
      [9, 15, 21, 3, 21],
      [15, 21, 21, 3, 21],
    ],
  );
  const once = draw(1, { shape: 'RATE', callsPerSecond: 50 });
  t.ok(once.every(({ load }) => load === null));
});
