import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { TextTable } from './text-table.ts';

t.test('answers as a Map does, whatever comes and goes', (t) => {
  const change = fc.record({ key: fc.nat(60).map((n) => `branch-${n}`), deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
      const table = new TextTable<{ readonly n: number }>();
      const map = new Map<string, { readonly n: number }>();
      for (const [n, { key, deletes }] of changes.entries()) {
        if (deletes) {
          table.delete(key);
          map.delete(key);
        } else {
          table.set(key, { n });
          map.set(key, { n });
        }
        if (table.size !== map.size || table.get(key)?.n !== map.get(key)?.n || table.has(key) !== map.has(key))
          return false;
      }
      for (const [key, item] of map) if (table.get(key)?.n !== item.n) return false;
      const items: number[] = [];
      table.forEach(({ n }) => {
        items.push(n);
      });
      return (
        items.sort((a, b) => a - b).join() ===
        [...map.values()]
          .map(({ n }) => n)
          .sort((a, b) => a - b)
          .join()
      );
    }),
  );
  t.end();
});

t.test('is empty when cleared, and can be filled again', (t) => {
  const table = new TextTable<object>();
  for (let n = 0; n < 1000; n++) table.set(String(n), {});
  table.clear();
  t.equal(table.size, 0);
  t.equal(table.get('7'), null);
  const item = {};
  table.set('7', item);
  t.equal(table.get('7'), item);
  t.end();
});
