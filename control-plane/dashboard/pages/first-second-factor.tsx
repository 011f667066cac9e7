/** Of somebody whose organization requires a second factor that is not set up yet: nothing else is to be seen before. */
import { Text } from '@mantine/core';
import { useMe } from '../me.tsx';
import { Page } from '../show/basics/page.tsx';
import { SecondFactor } from '../show/people/second-factor.tsx';

export default function FirstSecondFactor({ onSetUp }: { onSetUp: () => void }) {
  const { organization } = useMe();
  return (
    <Page title="Set up a second factor" over={organization.name}>
      <Text>{organization.name} requires one of everybody who logs in. Then you can go on.</Text>
      <SecondFactor onSetUp={onSetUp} />
    </Page>
  );
}
