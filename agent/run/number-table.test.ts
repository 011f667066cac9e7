/** A table by numbers: same results as a Map, also during iteration, without a Map's memory for deleted entries. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { NumberTable } from './number-table.ts';

type Entry = { readonly n: number };

t.test('answers as a Map does, in its order, whatever comes and goes', (t) => {
  const key = fc.nat(60).map((n) => n * 3000);
  const change = fc.record({ key, deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const table = new NumberTable<Entry>();
      const map = new Map<number, Entry>();
      for (const [n, { key, deletes }] of changes.entries()) {
        if (deletes && table.delete(key) !== map.delete(key)) return false;
        if (!deletes) {
          table.set(key, { n });
          map.set(key, { n });
        }
        if (table.size !== map.size || table.get(key)?.n !== map.get(key)?.n) return false;
      }
      const items = [...table.values()].map(({ n }) => n).join();
      const keys = table.keys().join();
      return items === [...map.values()].map(({ n }) => n).join() && keys === [...map.keys()].join();
    }),
  );
  t.end();
});

t.test('what comes and goes while it is gone through is visited as in a Map', (t) => {
  const step = fc.record({ adds: fc.nat(40), deletes: fc.array(fc.nat(80), { maxLength: 20 }) });
  fc.assert(
    fc.property(fc.nat(40), fc.array(step, { maxLength: 10 }), (entries, steps) => {
      const visited = [new NumberTable<Entry>(), new Map<number, Entry>()].map((table) => {
        let next = 0;
        const add = (count: number): void => {
          for (let i = 0; i < count; i++) table.set(next, { n: next++ });
        };
        add(entries);
        const seen: number[] = [];
        for (const { n } of table.values()) {
          const { adds, deletes } = steps[seen.length] ?? { adds: 0, deletes: [] };
          seen.push(n);
          add(adds);
          for (const key of deletes) table.delete(key);
        }
        add(100);
        return [seen, [...table.keys()], table.size].join(' ');
      });
      return visited[0] === visited[1];
    }),
  );
  t.end();
});

t.test('is empty when cleared, and can be filled again', (t) => {
  const table = new NumberTable<Entry>();
  for (let n = 0; n < 1000; n++) table.set(n, { n });
  table.clear();
  t.equal(table.size, 0);
  t.equal(table.get(7), undefined);
  t.same([...table.values()], []);
  table.set(7, { n: 8 });
  t.same(table.get(7), { n: 8 });
  t.end();
});

t.test('what has gone is held by nobody, however old the table is', (t) => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;
  const table = new NumberTable<readonly number[]>();
  gc({ type: 'major' });
  const before = process.memoryUsage().heapUsed;
  // Each exists at one collection of new objects at most; objects are old after two.
  for (let n = 0; n < 10_000; n++) {
    table.set(n, new Array<number>(128).fill(n));
    table.delete(n - 30);
    if (n % 50 === 0) gc({ type: 'minor' });
  }
  for (let i = 0; i < 3; i++) gc({ type: 'minor' });
  const heldMiB = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  t.equal(table.size, 30);
  t.ok(heldMiB < 2, `${heldMiB} MiB are held of the 10 that came`);
  t.end();
});
