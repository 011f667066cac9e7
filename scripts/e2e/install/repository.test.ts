/** What `npm run check` proves, said in CI as well: types, style, arrows, sizes, pages, generated files. */
import t from 'tap';
import { check } from '../../check.ts';

for (const [name, found] of await check()) t.same(found, [], name);
