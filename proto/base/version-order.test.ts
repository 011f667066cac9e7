/** The order of versions, by its laws and by a table. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { versionOrder } from './version-order.ts';

const Version = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
const OPPOSITE = { SAME: 'SAME', OLDER: 'NEWER', NEWER: 'OLDER' } as const;

t.test('it is an order, and trailing zeros say nothing', (t) => {
  fc.assert(
    fc.property(Version, Version, (a, b) => {
      t.equal(versionOrder(a, b), OPPOSITE[versionOrder(b, a)]);
      t.equal(versionOrder(a, `${a}.0`), 'SAME');
      t.equal(versionOrder(a, `${a}.${b}.1`), 'OLDER');
    }),
  );
  t.end();
});

t.test('numbers, not letters', (t) => {
  t.equal(versionOrder('0.9.0', '0.10.0'), 'OLDER');
  t.equal(versionOrder('1.0.0', '0.99.99'), 'NEWER');
  t.equal(versionOrder('1.2.3-rc.1', '1.2.3'), 'SAME');
  t.end();
});
