/** A registrar in its form: as a request has it, except that TLS is always there. Pure. */
import type { CallInput } from '../../../../contract/call.ts';
import type { Output } from '../../../../contract/catalogue.ts';
import type { Protocol } from '../../../../contract/test-settings/words.ts';
import { completed } from '../../basics/form.ts';

type RegistrarBody = Omit<Required<CallInput<'createRegistrar'>>, 'projectId' | 'slug'>;
export type RegistrarDraft = Omit<RegistrarBody, 'tls'> & {
  readonly tls: Omit<NonNullable<RegistrarBody['tls']>, 'key'>;
};

export const EMPTY: RegistrarDraft = {
  name: '',
  uri: 'sip:',
  protocol: 'UDP',
  webSocketPath: null,
  register: true,
  outboundProxyUri: null,
  domain: null,
  gateways: [],
  sourceAddress: null,
  tls: { verify: 'SYSTEM', ca: null, certificate: null },
};

export const draftOf = ({ tls, ...r }: Output<'getRegistrar'>): RegistrarDraft => ({
  ...completed(EMPTY, r),
  tls: completed(EMPTY.tls, tls ?? {}),
});

export const hasPath = (protocol: Protocol): boolean => protocol === 'WS' || protocol === 'WSS';
/** AUTO may select TLS. */
export const mayBeSecure = (protocol: Protocol): boolean => ['TLS', 'WSS', 'AUTO'].includes(protocol);

/** The registrar in a request, without fields that the form does not show. The client certificate stays as it is. */
export function writtenRegistrar({ tls: { verify, ca, certificate }, ...values }: RegistrarDraft): RegistrarBody {
  const { protocol, webSocketPath, sourceAddress } = values;
  const isSaid = mayBeSecure(protocol) && (verify !== 'SYSTEM' || certificate);
  return {
    ...values,
    webSocketPath: hasPath(protocol) ? webSocketPath : null,
    sourceAddress: sourceAddress?.trim() || null,
    tls: isSaid ? { verify, ca: (verify === 'CUSTOM' && ca?.trim()) || null, certificate } : null,
  };
}
