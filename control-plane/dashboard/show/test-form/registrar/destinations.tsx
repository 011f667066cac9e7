/** Where calls to some addresses go. A warning is shown if an address names another place. */
import { Stack } from '@mantine/core';
import { destinationsOf, type ViaServer } from '../../../../contract/test-settings/way.ts';
import { Mark } from '../../basics/words.tsx';

type Props = {
  readonly mode: string;
  readonly uris: readonly string[];
  /** Undefined: the registrar is not chosen yet. */
  readonly registrar: ViaServer | undefined;
};

type DestinationProps = { readonly isElsewhere: boolean; readonly children: string };

/** The text is a warning only if the address names another place. */
export const Destination = ({ isElsewhere, children }: DestinationProps) =>
  isElsewhere ? (
    <Mark wraps tone="warn">
      {children}
    </Mark>
  ) : (
    <span className="quiet">{children}</span>
  );

/** The number of addresses in a long list for which this is shown. */
const SHOWN = 3;

export function Destinations({ mode, uris: [uri = '', ...uris], registrar }: Props) {
  const all = registrar ? destinationsOf({ mode, callee: { mode: 'EXTERNAL_URI', uri, uris } }, registrar) : [];
  if (all.length === 0) return null;
  return (
    <Stack gap={4} role="status" aria-label="Where calls go">
      {all.slice(0, SHOWN).map(({ isElsewhere, text }) => (
        <Destination key={text} isElsewhere={isElsewhere}>
          {text}
        </Destination>
      ))}
      {all.length > SHOWN && <span className="quiet">And {all.length - SHOWN} more.</span>}
    </Stack>
  );
}
