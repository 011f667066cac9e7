/** Guessed addresses of shared runs, in the audit log of the only organization. */
import t from 'tap';
import { holds } from '../../../../scripts/peers/process.ts';
import { openDoor } from '../../../testing/agent-wire.ts';
import { acme, openWorld } from '../../../testing/world.ts';

const world = await openWorld(t);
await world.provision(acme());
world.hold();
const { port } = await openDoor(t, world);

const refused = () =>
  world.database.db
    .selectFrom('audit_entries')
    .where('action', '=', 'strangerRefused')
    .select(['via', 'address', 'actor', 'target'])
    .execute();

t.test('a guess is refused, and told', async (t) => {
  const { status } = await fetch(`http://127.0.0.1:${port}/shared/${'A'.repeat(43)}`);
  t.equal(status, 404);
  await holds(async () => (await refused()).length > 0);
  const target = { reason: 'SHARE_LINK_UNKNOWN' };
  t.match(await refused(), [{ via: 'LOGIN', address: '127.0.0.1', actor: '', target }]);
});
