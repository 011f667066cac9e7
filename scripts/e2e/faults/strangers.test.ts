/** An account whose password strangers guess: its owner can log in. */
import t from 'tap';
import { EMAIL, openAccount, PASSWORD } from './account.ts';

const { logIn, cookiesOf, guessed, command } = await openAccount(t);

t.test('guesses of a password', async (t) => {
  const known = cookiesOf(await logIn(EMAIL, PASSWORD));
  t.same(await guessed(), [401, 429]);
  t.equal((await logIn(EMAIL, PASSWORD, known)).status, 200, 'the owner comes in');
  t.equal((await logIn(EMAIL, PASSWORD)).status, 429, 'from that address, in a browser that is not known, nobody does');
});

t.test("the operator's command without a name explains itself", async (t) => {
  const help = command();
  t.equal(await help.exited, 1);
  t.match(help.output(), /The database is the control plane's/);
});
