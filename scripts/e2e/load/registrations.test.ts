/** Phones that hold their bindings while the registrar goes away and comes back (scripts/measure/prove/registrations.ts: many more). */
import t from 'tap';
import { registrations, SHORT } from '../../measure/prove/registrations.ts';

t.test(`${SHORT.bindings} bindings over ${SHORT.agents} agents`, async (t) => {
  const { rows, faults } = await registrations(SHORT);
  for (const row of rows) t.comment(row.join(' | '));
  t.same(faults, []);
});
