/** Tests that pages name: in the page's folder, above it, from the root, and by patterns. */
import t from 'tap';
import { deadTests } from './links.ts';

const PAGE = 'scripts/check/pages/README.md';

for (const [named, isThere] of [
  ['`links.test.ts`', true],
  ['`pages/links.test.ts`', true],
  ['`./scripts/test scripts/check/pages/links.test.ts`', true],
  ['`scripts/check/pages/*.test.ts`', true],
  ['`scripts/check/**/*.test.ts`', true],
  ['`*.test.ts`', true],
  ['`other.test.ts`', false],
  ['`scripts/package/links.test.ts`', false],
  ['`scripts/check/no*.test.ts`', false],
  ['in `./scripts/test scripts/check/pages/links.test.ts scripts/other.test.ts`', false],
] as const)
  t.equal(deadTests(PAGE, named).length, isThere ? 0 : 1, named);
