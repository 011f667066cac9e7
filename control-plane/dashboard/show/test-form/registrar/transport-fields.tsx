/** How a registrar is reached: the transport, the path of a WebSocket, and the authorities that TLS trusts. */
import { Fields } from '../../basics/fields.tsx';
import { type FieldRows, type Form, partOf } from '../../basics/form.ts';
import { hasPath, mayBeSecure, type RegistrarDraft } from './registrar-draft.ts';

const TRUST = {
  SYSTEM: "Certificate authorities that the agent's host trusts",
  CUSTOM: 'A private certificate authority',
  SKIP: 'Accept any certificate (insecure)',
};

export function transportRows(form: Form<RegistrarDraft>): FieldRows<RegistrarDraft> {
  const { protocol, tls } = form.values;
  return [
    { key: 'protocol', label: 'Transport', hint: 'AUTO uses DNS (RFC 3263).' },
    hasPath(protocol) && {
      key: 'webSocketPath',
      label: 'WebSocket path',
      hint: 'For example /ws for Asterisk; the default is /.',
      placeholder: '/',
    },
    mayBeSecure(protocol) && (
      <Fields
        key="tls"
        form={partOf(form, 'tls')}
        cols={1}
        rows={[
          {
            key: 'verify',
            label: 'Trusted certificates',
            hint:
              tls.verify === 'SKIP'
                ? 'Any host could impersonate the server. Use this in labs only.'
                : 'The certificate must match the host name of the SIP address.',
            words: TRUST,
          },
          tls.verify === 'CUSTOM' && {
            key: 'ca',
            label: 'CA certificate',
            hint: 'PEM; more than one certificate is allowed.',
            placeholder: '-----BEGIN CERTIFICATE-----',
            lines: [4, 10],
            required: true,
          },
        ]}
      />
    ),
  ];
}
