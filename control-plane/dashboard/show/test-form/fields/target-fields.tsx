/** Whom endpoints call, or who calls them, and over which server. */
import { Radio, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { faultOf } from '../../../api.ts';
import { Field } from '../../basics/field.tsx';
import type { Form } from '../../basics/form.ts';
import type { DraftGroup } from '../drafts/group-draft.ts';
import { callsOwn, type Draft, EMPTY } from '../drafts/test-draft.ts';
import { Destinations } from '../registrar/destinations.tsx';

type Registrar = Output<'listRegistrars'>;
type Target = 'own' | 'other' | 'options' | 'receive' | 'register';

const DOES: Readonly<Record<Target, Draft['does']>> = {
  own: 'CALL',
  other: 'CALL',
  options: 'OPTIONS',
  receive: 'RECEIVE',
  register: 'REGISTER',
};

/** The choice of the built-in registrar for each target, and its explanation. */
const NONE: Readonly<Partial<Record<Target, string>>> = {
  other: 'None: directly to the address',
  options: 'None: directly to the address',
  receive: 'None: the built-in one',
};
const WITHOUT: Readonly<Partial<Record<Target, string>>> = {
  other: 'No server of this project in between.',
  options: 'No server of this project in between.',
  receive: 'No server: calls come straight to the agents.',
};

const CALLS_FROM = { SERVER: 'From the server and its addresses', ANYBODY: 'From any address' };

type Props = {
  readonly form: Form<Draft>;
  readonly group: Form<DraftGroup>;
  readonly registrars: readonly Registrar[];
};

const targetOf = (draft: Draft): Target =>
  callsOwn(draft)
    ? 'own'
    : ((Object.keys(DOES) as Target[]).find((one) => one !== 'own' && DOES[one] === draft.does) ?? 'other');

export function TargetFields({ form, group, registrars }: Props) {
  const { values: draft, error, set: onChange } = form;
  const servers = registrars.filter((r) => !r.isCloud);
  const registering = servers.filter((r) => r.register);
  const cloud = registrars.filter((r) => r.isCloud);
  const who = targetOf(draft);
  const among: Readonly<Record<Target, readonly Registrar[]>> = {
    own: [],
    other: [...cloud, ...servers],
    options: [...cloud, ...servers],
    receive: [...servers, ...cloud],
    register: registering,
  };
  /** No server is chosen for the user: an address is called directly until the user chooses another way. */
  const choose = (next: Target) => {
    const goesOut = next === 'other' || next === 'options';
    const same = among[next].find(({ id, isCloud }) => id === draft.registrarId && (goesOut || !isCloud));
    const kept = same ?? (goesOut ? cloud[0] : undefined);
    const does = DOES[next];
    // Only callers have this load.
    const load = does === 'CALL' ? {} : { load: EMPTY.load, callsEach: 1 };
    onChange({ does, ...from(kept), ...load, ...fromOf(kept, draft) });
  };
  /** Accounts belong to one registrar, so others are dropped. */
  const from = (registrar: Registrar | undefined) => ({
    registrarId: registrar?.id ?? '',
    ...(registrar?.id !== draft.registrarId && { sipAccountIds: null }),
  });
  const choice = among[who].find(({ id }) => id === draft.registrarId);
  return (
    <Stack>
      <Radio.Group aria-label="Target" value={who} onChange={(next) => choose(next as Target)}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs">
          <Radio
            value="own"
            label="Carillon's own callees"
            description="Agents call each other. No SIP server is needed."
          />
          <Radio
            value="other"
            label="A SIP address"
            description="Directly, or by way of a registrar or trunk of this project."
          />
          <Radio
            value="options"
            label="A SIP address, with OPTIONS"
            description="Each endpoint asks once whether it answers. No call is placed."
          />
          <Radio
            value="receive"
            label="None: endpoints receive calls"
            description="From a PBX, a trunk or a phone, for the duration of the test."
          />
          <Radio
            value="register"
            label="None: endpoints only register"
            disabled={registering.length === 0}
            description={
              registering.length === 0
                ? 'Needs a registrar that accepts registrations.'
                : 'They stay registered for a time and place no calls.'
            }
          />
        </SimpleGrid>
      </Radio.Group>
      {who !== 'own' && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={who === 'register' ? 'Registrar' : 'Registrar or trunk'}
            description={choice?.isCloud ? WITHOUT[who] : (choice?.uri ?? '')}
            placeholder="Choose one"
            data={among[who].map((r) => ({ value: r.id, label: (r.isCloud && NONE[who]) || r.name }))}
            value={choice?.id ?? null}
            allowDeselect={false}
            onChange={(id) => {
              const next = among[who].find((r) => r.id === id);
              onChange({ ...from(next), ...(who === 'receive' && fromOf(next, draft)) });
            }}
            error={faultOf(error, 'groups[0].registrarId')}
          />
          {(who === 'other' || who === 'options') && <AddressFields form={form} />}
          {who === 'receive' && (
            <Field
              form={group}
              row={{
                key: 'callsFrom',
                label: 'Calls are accepted',
                hint: "Other calls are refused with 403 or, where the number is no callee's, 404, and counted.",
                words: CALLS_FROM,
              }}
            />
          )}
        </SimpleGrid>
      )}
      {(who === 'other' || who === 'options') && (
        <Destinations mode={draft.does} uris={[draft.uri, ...draft.uris]} registrar={choice} />
      )}
    </Stack>
  );
}

/** Calls cannot come from the built-in registrar, because it is no server. */
const fromOf = (registrar: Registrar | undefined, { group }: Draft): Pick<Draft, 'group'> => ({
  group: registrar?.isCloud ? { ...group, callsFrom: 'ANYBODY' } : group,
});

/** The addresses, one a line. The first is `uri`, the others are `uris`. */
function AddressFields({ form: { values: draft, error, set } }: Pick<Props, 'form'>) {
  const faults = draft.uris.flatMap((_, i) => {
    const fault = faultOf(error, `groups[0].callee.uris[${i}]`);
    return fault === undefined ? [] : [`line ${i + 2}: ${fault}`];
  });
  return (
    <Textarea
      label="Address"
      description="One or more addresses, one per line; callers use them in turn. {{column}} stands for the value of that column of the account, {{1000..1999}} counts up."
      placeholder="sip:9000@pbx.example"
      required
      autosize
      minRows={1}
      maxRows={8}
      value={[draft.uri, ...draft.uris].join('\n')}
      onChange={(e) => {
        const [uri = '', ...uris] = e.target.value.split('\n');
        set({ uri, uris });
      }}
      onBlur={() => set({ uris: draft.uris.map((uri) => uri.trim()).filter((uri) => uri !== '') })}
      error={faultOf(error, 'groups[0].callee.uri') ?? faults[0]}
    />
  );
}
