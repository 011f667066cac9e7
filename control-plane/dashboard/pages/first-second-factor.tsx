/** The page for a user whose organization requires a second factor that is not set up yet. No other page is shown before. */
import { Text } from '@mantine/core';
import { useMe } from '../me.tsx';
import { Page } from '../show/basics/page.tsx';
import { Passkeys } from '../show/people/passkeys.tsx';
import { SecondFactor } from '../show/people/second-factor.tsx';

export default function FirstSecondFactor({ onSetUp }: { onSetUp: () => void }) {
  const { organization } = useMe();
  return (
    <Page title="Set up a second factor" over={organization.name}>
      <Text>
        {organization.name} requires one of everybody who logs in. Then you can continue. If you have a passkey, log out
        and log in with it: it needs no second factor.
      </Text>
      <Passkeys />
      <SecondFactor onSetUp={onSetUp} />
    </Page>
  );
}
