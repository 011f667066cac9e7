/** The addresses that calls offer for media. */
import { Select, TextInput } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import { iceOf, type MediaPath, pathOf, stunServerOf } from '../drafts/ice-draft.ts';

const PATHS: readonly { readonly value: MediaPath; readonly label: string }[] = [
  { value: 'NONE', label: 'None: to the address in SDP' },
  { value: 'HOST', label: "The agent's own addresses" },
  { value: 'STUN', label: 'The same, and the address that a STUN server sees' },
];

type Props = {
  readonly ice: string;
  readonly error: Error | null;
  /** The path in a request. */
  readonly at: string;
  readonly onChange: (ice: string) => void;
};

export function IceFields({ ice, error, at, onChange }: Props) {
  const path = pathOf(ice);
  return (
    <>
      <Select
        label="ICE"
        description="The addresses that are offered for media (RFC 8445)."
        data={[...PATHS]}
        value={path}
        allowDeselect={false}
        onChange={(next) => onChange(iceOf(next as MediaPath, ''))}
        error={path === 'STUN' ? undefined : faultOf(error, at)}
      />
      {path === 'STUN' && (
        <TextInput
          label="STUN server"
          description="HOST or HOST:PORT; the default port is 3478."
          placeholder="stun.example.net:3478"
          required
          value={stunServerOf(ice)}
          onChange={(e) => onChange(iceOf('STUN', e.target.value))}
          error={faultOf(error, at)}
        />
      )}
    </>
  );
}
