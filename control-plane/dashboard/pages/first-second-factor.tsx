/** The page for a user whose organization requires a second factor that is not set up yet. No other page is shown before. */
import { Text } from '@mantine/core';
import { FEATURE_PAGES } from '../../feature-sums/pages.ts';
import { useMe } from '../me.tsx';
import { Page } from '../show/basics/page.tsx';

const CARDS = FEATURE_PAGES.flatMap(({ accountCards = [] }) => accountCards)
  .filter(({ ifRequired }) => ifRequired !== undefined)
  .sort((a, b) => a.place - b.place);

export default function FirstSecondFactor({ onSetUp }: { onSetUp: () => void }) {
  const { organization } = useMe();
  return (
    <Page title="Set up a second factor" over={organization.name}>
      <Text>
        {organization.name} requires one of everybody who logs in. Then you can continue.{' '}
        {CARDS.map(({ ifRequired }) => ifRequired)
          .join(' ')
          .trim()}
      </Text>
      {CARDS.map(({ place, Card }) => (
        <Card key={place} onSetUp={onSetUp} />
      ))}
    </Page>
  );
}
