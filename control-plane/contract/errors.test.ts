/** Paths of values: what is printed is read back. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { printPath, readPath } from './errors.ts';

const Name = fc.stringMatching(/^[a-z_][a-zA-Z0-9_]*$/);

t.test('a printed path has the keys that it was printed from', (t) => {
  fc.assert(fc.property(fc.array(fc.oneof(Name, fc.nat())), (path) => t.same(readPath(printPath(path)), path)));
  t.equal(printPath(['groups', 0, 'callee', 'uri']), 'groups[0].callee.uri');
  t.end();
});
