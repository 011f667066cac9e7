/** The addresses that calls offer for media. */
import { Select, TextInput } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import { type Form, pathOf } from '../../basics/form.ts';
import type { DraftGroup } from '../drafts/group-draft.ts';
import { iceOf, type MediaPath, mediaPathOf, stunServerOf } from '../drafts/ice-draft.ts';

const PATHS: readonly { readonly value: MediaPath; readonly label: string }[] = [
  { value: 'NONE', label: 'None: to the address in SDP' },
  { value: 'HOST', label: "The agent's own addresses" },
  { value: 'STUN', label: 'The same, and the address that a STUN server sees' },
];

export function IceFields({ form }: { readonly form: Form<Pick<DraftGroup, 'ice'>> }) {
  const { ice } = form.values;
  const fault = faultOf(form.error, pathOf(form, 'ice'));
  const onChange = (path: MediaPath, server: string) => form.set({ ice: iceOf(path, server) });
  const path = mediaPathOf(ice);
  return (
    <>
      <Select
        label="ICE"
        description="The addresses that are offered for media (RFC 8445)."
        data={[...PATHS]}
        value={path}
        allowDeselect={false}
        onChange={(next) => onChange(next as MediaPath, '')}
        error={path === 'STUN' ? undefined : fault}
      />
      {path === 'STUN' && (
        <TextInput
          label="STUN server"
          description="HOST or HOST:PORT; the default port is 3478."
          placeholder="stun.example.net:3478"
          required
          value={stunServerOf(ice)}
          onChange={(e) => onChange('STUN', e.target.value)}
          error={fault}
        />
      )}
    </>
  );
}
