/** The operator's command, beside a running control plane, unlocks an account that strangers guess at, and sets its password. */
import t from 'tap';
import { EMAIL, openAccount, PASSWORD } from '../../../../scripts/e2e/faults/account.ts';

const { logIn, post, guessed, command } = await openAccount(t);

t.test("the operator's command lets in again, and sets a new password", async (t) => {
  t.same(await guessed(), [401, 429]);
  t.equal((await logIn(EMAIL, PASSWORD)).status, 429);
  const nobody = command('reset', 'nobody@lab.example');
  t.equal(await nobody.exited, 1, nobody.output());
  t.match(nobody.output(), /No account has the address nobody@lab\.example/);
  const help = command();
  t.equal(await help.exited, 1);
  t.match(help.output(), /npm run account -- reset EMAIL/);
  const reset = command('reset', EMAIL.toUpperCase());
  t.equal(await reset.exited, 0, reset.output());
  const token = /\/password#([\w-]{43})/.exec(reset.output())?.[1];
  t.equal((await logIn(EMAIL, PASSWORD)).status, 200, 'what was guessed is forgotten');
  t.equal((await post('/entrance/password', { token, password: 'staple under violet tram' })).status, 200);
  t.equal((await logIn(EMAIL, PASSWORD)).status, 401);
  t.equal((await logIn(EMAIL, 'staple under violet tram')).status, 200);
});
