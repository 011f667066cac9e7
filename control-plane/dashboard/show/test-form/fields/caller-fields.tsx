/** How callers name themselves. */
import { TextInput } from '@mantine/core';
import { DIVERSION_REASONS, PRIVACIES } from '../../../../contract/test-settings/words.ts';
import { faultOf } from '../../../api.ts';
import { Fields } from '../../basics/fields.tsx';
import { type Form, partOf } from '../../basics/form.ts';
import { type DraftCaller, FIRST_PARTS } from '../drafts/group-draft.ts';

const wordsOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, name.toLowerCase().replaceAll('_', ' ')]));

type Props = {
  readonly form: Form<DraftCaller>;
  /** Calls are placed: what only INVITE carries applies, too. */
  readonly isCalling: boolean;
};

export const CallerFields = ({ form, isCalling }: Props) => (
  <Fields
    form={form}
    rows={[
      {
        key: 'callerNumber',
        label: 'Caller number',
        hint: 'In From: a number, or number@host. {{column}} stands for the value of that column of the account.',
        placeholder: 'from the account',
      },
      {
        key: 'displayName',
        label: 'Display name',
        hint: 'In From, before the address.',
        placeholder: 'from the account',
      },
      isCalling && {
        key: 'assertedIdentity',
        label: 'P-Asserted-Identity',
        hint: 'A SIP or tel URI (RFC 3325): the caller as asserted by a trusted network.',
        placeholder: 'none',
      },
      isCalling && {
        key: 'privacy',
        label: 'Privacy',
        hint: 'What the network must hide about the caller (RFC 3323).',
        placeholder: 'not sent',
        words: wordsOf(PRIVACIES),
      },
      isCalling && <DiversionFields key="diversion" form={form} />,
    ]}
  />
);

/** An address switches it on, and an empty one off. */
function DiversionFields({ form }: { readonly form: Form<DraftCaller> }) {
  const { diversion } = form.values;
  return (
    <>
      <TextInput
        label="Diversion"
        description="A SIP or tel URI (RFC 5806): the party that diverted the call."
        placeholder="none"
        value={diversion?.uri ?? ''}
        onChange={({ target: { value: uri } }) =>
          form.set({ diversion: uri ? { ...FIRST_PARTS.diversion, ...diversion, uri } : null })
        }
        error={faultOf(form.error, `${form.at}.diversion.uri`)}
      />
      {diversion && (
        <Fields
          form={partOf(form, 'diversion')}
          cols={{ base: 2, sm: 2 }}
          rows={[
            {
              key: 'reason',
              label: 'Reason',
              hint: 'Reason of the diversion.',
              words: wordsOf(DIVERSION_REASONS),
            },
            { key: 'counter', label: 'Times', hint: 'Number of diversions so far.' },
          ]}
        />
      )}
    </>
  );
}
