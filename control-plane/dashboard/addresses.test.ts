import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { addressOf, rowAt, searchOf } from './addresses.ts';

const ROWS = ['/', '/probes/$id', '/probes/new', '/probes/$id/change', '/$a/$b/change'].map((path) => ({ path }));

t.test('an address leads to the page that names most of it', (t) => {
  const rows: readonly [string, string | null, Record<string, string>][] = [
    ['/', '/', {}],
    ['/probes/new', '/probes/new', {}],
    ['/probes/new/', '/probes/new', {}],
    ['/probes/newer', '/probes/$id', { id: 'newer' }],
    ['/probes/a%2Fb', '/probes/$id', { id: 'a/b' }],
    ['/probes/%', '/probes/$id', { id: '%' }],
    ['/probes/new/change', '/probes/$id/change', { id: 'new' }],
    ['/tests/new/change', '/$a/$b/change', { a: 'tests', b: 'new' }],
    ['/probes/', null, {}],
    ['/probes//change', null, {}],
    ['//probes', null, {}],
    ['/probes/1/2/3', null, {}],
  ];
  for (const [pathname, path, params] of rows) {
    const found = rowAt(ROWS, pathname);
    t.equal(found?.row.path ?? null, path, pathname);
    t.strictSame(found?.params ?? {}, params, pathname);
  }
  t.end();
});

t.test('what an address is made of is found in it', (t) => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(text, fc.dictionary(text, text), (id, search) => {
      fc.pre(!/^\.{1,2}$/.test(id) && !Object.values(search).some((value) => /^"\d+"$/.test(value)));
      const address = new URL(addressOf({ to: '/probes/$id/change', params: { id }, search }, '/'), 'http://a.example');
      t.strictSame(rowAt(ROWS, address.pathname)?.params, { id });
      t.strictSame(Object.entries(searchOf(address.search)).sort(), Object.entries(search).sort());
    }),
  );
  t.end();
});

t.test('a search', (t) => {
  t.equal(addressOf({ to: '.', search: { a: 'b c', d: undefined } }, '/here'), '/here?a=b+c', 'has only what is set');
  t.equal(addressOf({ to: '/x?y=1' }, '/here'), '/x?y=1', 'may be a part of the destination');
  t.strictSame(searchOf('?at=%220%22&q=%22a%22'), { at: '0', q: '"a"' }, 'may have numbers in quotes, as once');
  t.end();
});
