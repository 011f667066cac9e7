/** The operator's command, beside a running control plane, removes the second factor of somebody who lost it. */
import { Secret as Base32, TOTP } from 'otpauth';
import t from 'tap';
import { EMAIL, openAccount, PASSWORD } from '../../../../scripts/e2e/faults/account.ts';

const { logIn, post, cookiesOf, command } = await openAccount(t);

t.test("the operator's command removes it", async (t) => {
  const known = cookiesOf(await logIn(EMAIL, PASSWORD));
  const authenticator = async () => {
    const cookie = cookiesOf(await logIn(EMAIL, PASSWORD, known));
    const said = async (at: string, body: object) =>
      (await (await post(at, body, cookie)).json()) as { data: { secret: string } };
    const { secret } = (await said('/me/second-factor', {})).data;
    const code = new TOTP({ secret: Base32.fromBase32(secret) }).generate();
    return (await said('/me/second-factor/confirmation', { code })).data !== undefined;
  };
  t.ok((await authenticator()) || (await authenticator()), 'a second factor is set up');
  t.equal((await logIn(EMAIL, PASSWORD, known)).status, 403, 'and asked for');
  const removal = command('remove-second-factor', EMAIL);
  t.equal(await removal.exited, 0, removal.output());
  t.equal((await logIn(EMAIL, PASSWORD, known)).status, 200, 'the operator has removed it');
  const again = command('remove-second-factor', EMAIL);
  t.equal(await again.exited, 1);
  t.match(again.output(), /has no second factor/);
});
