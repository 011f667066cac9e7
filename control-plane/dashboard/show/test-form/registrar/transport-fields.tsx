/**
 * How a registrar is reached, as a form asks for it: the transport, the path of a WebSocket, and the authorities that TLS trusts.
 */
import { Select, Textarea, TextInput } from '@mantine/core';
import type { CallInput } from '../../../../contract/call.ts';
import { PROTOCOLS, type Protocol } from '../../../../contract/words.ts';

export type TransportDraft = {
  readonly protocol: Protocol;
  /** '' is '/'. */
  readonly webSocketPath: string;
  readonly verify: 'SYSTEM' | 'CUSTOM' | 'SKIP';
  /** The authorities of CUSTOM, in PEM. */
  readonly ca: string;
  /** The certificate that endpoints present to the server, in PEM. The form leaves it as it is. */
  readonly certificate: string | null;
};

export const PLAIN_TRANSPORT: TransportDraft = {
  protocol: 'UDP',
  webSocketPath: '',
  verify: 'SYSTEM',
  ca: '',
  certificate: null,
};

type WrittenTransport = Pick<CallInput<'createRegistrar'>, 'protocol' | 'webSocketPath' | 'tls'>;

const hasPath = (protocol: Protocol): boolean => protocol === 'WS' || protocol === 'WSS';
/** AUTO may select TLS. */
const mayBeSecure = (protocol: Protocol): boolean => ['TLS', 'WSS', 'AUTO'].includes(protocol);

/** The transport in a request, without fields that the form does not show. */
export const writtenTransport = ({
  protocol,
  webSocketPath,
  verify,
  ca,
  certificate,
}: TransportDraft): WrittenTransport => ({
  protocol,
  webSocketPath: hasPath(protocol) && webSocketPath !== '' ? webSocketPath : null,
  tls:
    mayBeSecure(protocol) && (verify !== 'SYSTEM' || certificate !== null)
      ? { verify, ca: verify === 'CUSTOM' && ca.trim() !== '' ? ca.trim() : null, certificate }
      : null,
});

const TRUST = [
  { value: 'SYSTEM', label: "Certificate authorities that the agent's host trusts" },
  { value: 'CUSTOM', label: 'A private certificate authority' },
  { value: 'SKIP', label: 'Accept any certificate (insecure)' },
];

type Props = {
  readonly draft: TransportDraft;
  readonly onChange: (change: Partial<TransportDraft>) => void;
  readonly faultOf: (field: string) => string | undefined;
};

export function TransportFields({ draft, onChange, faultOf }: Props) {
  return (
    <>
      <Select
        label="Transport"
        description="AUTO uses DNS (RFC 3263)."
        data={[...PROTOCOLS]}
        value={draft.protocol}
        allowDeselect={false}
        onChange={(p) => onChange({ protocol: p as Protocol })}
      />
      {hasPath(draft.protocol) && (
        <TextInput
          label="WebSocket path"
          description="For example /ws for Asterisk; the default is /."
          placeholder="/"
          value={draft.webSocketPath}
          onChange={(e) => onChange({ webSocketPath: e.target.value })}
          error={faultOf('webSocketPath')}
        />
      )}
      {mayBeSecure(draft.protocol) && (
        <Select
          label="Trusted certificates"
          description={
            draft.verify === 'SKIP'
              ? 'Any host could impersonate the server. Use this in labs only.'
              : 'The certificate must match the host name of the SIP address.'
          }
          data={TRUST}
          value={draft.verify}
          allowDeselect={false}
          onChange={(v) => onChange({ verify: v as TransportDraft['verify'] })}
        />
      )}
      {mayBeSecure(draft.protocol) && draft.verify === 'CUSTOM' && (
        <Textarea
          label="CA certificate"
          description="PEM; more than one certificate is allowed."
          placeholder="-----BEGIN CERTIFICATE-----"
          required
          autosize
          minRows={4}
          maxRows={10}
          value={draft.ca}
          onChange={(e) => onChange({ ca: e.target.value })}
          error={faultOf('tls.ca')}
        />
      )}
    </>
  );
}
