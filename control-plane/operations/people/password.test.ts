/** Password hashes, at the cost that the control plane uses. */
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { hashPassword, PASSWORD_COST, verifyPassword } from './password.ts';

const right = new Secret('correct horse battery');

t.test('a hash is salted, says its cost, and takes its own password only', async (t) => {
  const [one, other] = await Promise.all([hashPassword(right, PASSWORD_COST), hashPassword(right, PASSWORD_COST)]);
  t.not(one, other);
  t.match(one, /^scrypt\$32768\$8\$3\$/);
  t.ok(await verifyPassword(right, one));
  t.notOk(await verifyPassword(new Secret('wrong'), one));
});

t.test('one of another cost is judged by that cost', async (t) => {
  const cheap = await hashPassword(right, { N: 2 ** 10, r: 8, p: 1 });
  t.match(cheap, /^scrypt\$1024\$8\$1\$/);
  t.ok(await verifyPassword(right, cheap));
  t.notOk(await verifyPassword(right, cheap.replace('$1024$', '$2048$')));
});

t.test('what is no hash of ours takes nobody', async (t) => {
  for (const text of ['', 'scrypt$1024$8$1$c2FsdA==', 'bcrypt$1024$8$1$c2FsdA==$a2V5'])
    t.notOk(await verifyPassword(right, text), text);
});
