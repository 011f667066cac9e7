/** A second factor cannot be skipped, whatever features there are. */
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { acme, openWorld } from '../../testing/world.ts';
import { requireCode } from './second-factor.ts';

t.test('a person with a second factor is refused where nothing verifies it', async (t) => {
  const world = await openWorld(t);
  await world.provision(acme());
  const { db } = world.database;
  const [user] = await db.selectFrom('users').select(['id', 'email']).execute();
  const whose = { userId: user?.id ?? '', email: user?.email ?? '', place: null };
  const without = { ...world.ports, hooks: world.ports.hooks.map(({ takeCode: _, ...others }) => others) };
  await requireCode(without, { ...whose, code: undefined });
  const factor = { id: whose.userId, secret: Buffer.alloc(1), confirmed_at: world.ports.now() };
  await db.insertInto('second_factors').values(factor).execute();
  for (const code of [undefined, new Secret('123456')])
    await t.rejects(requireCode(without, { ...whose, code }), { code: 'FORBIDDEN' });
  const taken: string[] = [];
  const takeCode = async (_: unknown, { code }: { readonly code: Secret }) => void taken.push(code.reveal());
  const having = { ...without, hooks: [{}, { takeCode }] };
  for (const code of [undefined, new Secret('')])
    await t.rejects(requireCode(having, { ...whose, code }), { code: 'CODE_REQUIRED' });
  await requireCode(having, { ...whose, code: new Secret('123456') });
  t.same(taken, ['123456']);
});
