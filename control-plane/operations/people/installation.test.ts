/** Whose the installation is: settled once, moved only by the provisioning file, and never by the deletion of others. */
import t from 'tap';
import { organizationOfInstallation } from '../../store/people/installation.ts';
import { openWorld, type World } from '../../testing/world.ts';

const named = (slug: string, more: object = {}) => ({ slug, name: slug, ...more });

/** The slug of its organization. */
async function owner(world: World): Promise<string | null> {
  const { db } = world.database;
  const id = await organizationOfInstallation(db);
  if (id === null) return null;
  return (await db.selectFrom('organizations').where('id', '=', id).select('slug').executeTakeFirstOrThrow()).slug;
}
const remove = (world: World, slug: string) =>
  world.database.db.deleteFrom('organizations').where('slug', '=', slug).execute();

t.test('the first organization has it, and keeps it beside others', async (t) => {
  const world = await openWorld(t);
  t.equal(await owner(world), null, 'no organization');
  await world.provision({ organizations: [named('first')] });
  t.equal(await owner(world), 'first');
  await world.provision({ organizations: [named('another'), named('first')] });
  t.equal(await owner(world), 'first');
  await remove(world, 'first');
  t.equal(await owner(world), null, 'a customer does not inherit it');
});

t.test('of several from the beginning none has it until the file says so', async (t) => {
  const world = await openWorld(t);
  await world.provision({ organizations: [named('first'), named('another')] });
  t.equal(await owner(world), null);
  await remove(world, 'first');
  t.equal(await owner(world), null, 'the last one does not inherit it');
  const said = { organizations: [named('another'), named('operator', { runsInstallation: true })] };
  await world.provision(said);
  t.equal(await owner(world), 'operator');
  await world.provision({ organizations: [named('another', { runsInstallation: true }), named('operator')] });
  t.equal(await owner(world), 'another', 'the file is the word of the operator');
});

t.test('a file gives it to one organization at most', async (t) => {
  const world = await openWorld(t);
  const organizations = ['first', 'another'].map((slug) => named(slug, { runsInstallation: true }));
  await t.rejects(async () => world.provision({ organizations }), { message: /organizations\[1\]\.runsInstallation/ });
});
