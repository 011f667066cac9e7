/** Where calls to some addresses go; a server that is asked for another place is a warning. */
import { Stack } from '@mantine/core';
import { destinationsOf, type ViaServer } from '../../../../contract/test/way.ts';
import { Mark } from '../../basics/words.tsx';

type Props = {
  readonly mode: string;
  readonly uris: readonly string[];
  /** undefined: not chosen yet. */
  readonly registrar: ViaServer | undefined;
};

type DestinationProps = { readonly isElsewhere: boolean; readonly children: string };

/** Loud only if it is not what the address says. */
export const Destination = ({ isElsewhere, children }: DestinationProps) =>
  isElsewhere ? (
    <Mark wraps tone="warn">
      {children}
    </Mark>
  ) : (
    <span className="quiet">{children}</span>
  );

/** Of a long list of addresses these are said. */
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
