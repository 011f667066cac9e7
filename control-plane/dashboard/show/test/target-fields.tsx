/** Whom endpoints call, or who calls them, and by way of what. */
import { Radio, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf } from '../../api.ts';
import { callsOwn, type Draft, EMPTY } from './test-draft.ts';

type Registrar = Output<'listRegistrars'>;
type Who = 'own' | 'other' | 'receive' | 'register';

const CALLS_FROM = [
  { value: 'SERVER', label: 'Of the server and its addresses' },
  { value: 'ANYBODY', label: 'Of anybody who reaches the agent' },
];

type Props = {
  readonly draft: Draft;
  readonly registrars: readonly Registrar[];
  readonly error: Error | null;
  readonly onChange: (change: Partial<Draft>) => void;
};

const whoOf = (draft: Draft): Who =>
  callsOwn(draft) ? 'own' : draft.does === 'CALL' ? 'other' : draft.does === 'RECEIVE' ? 'receive' : 'register';

export function TargetFields({ draft, registrars, error, onChange }: Props) {
  const servers = registrars.filter((r) => !r.isCloud);
  const registering = servers.filter((r) => r.register);
  const cloud = registrars.find((r) => r.isCloud);
  const who = whoOf(draft);
  const among: Readonly<Record<Who, readonly Registrar[]>> = {
    own: [],
    other: servers,
    receive: cloud ? [...servers, cloud] : servers,
    register: registering,
  };
  const choose = (next: Who) => {
    const kept = among[next].find(({ id }) => id === draft.registrarId) ?? among[next][0];
    const does = next === 'receive' ? 'RECEIVE' : next === 'register' ? 'REGISTER' : 'CALL';
    // The load of callers is nobody else's.
    const load = does === 'CALL' ? {} : { load: EMPTY.load, callsEach: 1 };
    onChange({ does, registrarId: kept?.id ?? '', ...load, ...fromOf(kept, draft.callsFrom) });
  };
  const choice = among[who].find(({ id }) => id === draft.registrarId);
  return (
    <>
      <Radio.Group label="Who is called" value={who} onChange={(next) => choose(next as Who)}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="own"
            label="Carillon's own callees"
            description="Agents call each other: no SIP server is needed."
          />
          <Radio
            value="other"
            label="A SIP address"
            disabled={servers.length === 0}
            description={
              servers.length === 0
                ? 'Needs a registrar or trunk: make one under Registrars.'
                : 'By way of a registrar or trunk of this project.'
            }
          />
          <Radio
            value="receive"
            label="Nobody: endpoints take calls"
            description="Of a PBX, a trunk or a phone, as long as the test goes on."
          />
          <Radio
            value="register"
            label="Nobody: endpoints register"
            disabled={registering.length === 0}
            description={
              registering.length === 0
                ? 'Needs a registrar that endpoints register with.'
                : 'They stay registered for a time, and do no more.'
            }
          />
        </Stack>
      </Radio.Group>
      {who !== 'own' && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={who === 'register' ? 'Registrar' : 'Registrar or trunk'}
            description={choice?.isCloud ? 'No server: calls come straight to the agents.' : (choice?.uri ?? '')}
            data={among[who].map((r) => ({ value: r.id, label: r.isCloud ? 'None: the built-in one' : r.name }))}
            value={draft.registrarId}
            allowDeselect={false}
            onChange={(id) => {
              const next = among[who].find((r) => r.id === id);
              onChange({ registrarId: id ?? '', ...(who === 'receive' && fromOf(next, draft.callsFrom)) });
            }}
            error={faultOf(error, 'groups[0].registrarId')}
          />
          {who === 'other' && <AddressFields draft={draft} error={error} onChange={onChange} />}
          {who === 'receive' && (
            <Select
              label="Calls are taken"
              description="Others are refused with 403, and counted."
              data={CALLS_FROM}
              value={draft.callsFrom}
              allowDeselect={false}
              onChange={(from) => onChange({ callsFrom: from as Draft['callsFrom'] })}
              error={faultOf(error, 'groups[0].callsFrom')}
            />
          )}
        </SimpleGrid>
      )}
    </>
  );
}

/** The built-in registrar is no server that calls could come from. */
const fromOf = (registrar: Registrar | undefined, said: Draft['callsFrom']): Pick<Draft, 'callsFrom'> => ({
  callsFrom: registrar?.isCloud ? 'ANYBODY' : said,
});

/** One a line: the first is `uri`, the others `uris`. */
function AddressFields({ draft, error, onChange }: Omit<Props, 'registrars'>) {
  const faults = draft.uris.flatMap((_, i) => {
    const fault = faultOf(error, `groups[0].callee.uris[${i}]`);
    return fault === undefined ? [] : [`line ${i + 2}: ${fault}`];
  });
  return (
    <Textarea
      label="Address"
      description="Or several, one a line: callers take them in turn. {{column}} stands for what the account has there, {{1000..1999}} counts."
      placeholder="sip:9000@pbx.example"
      required
      autosize
      minRows={1}
      maxRows={8}
      value={[draft.uri, ...draft.uris].join('\n')}
      onChange={(e) => {
        const [uri = '', ...uris] = e.target.value.split('\n');
        onChange({ uri, uris });
      }}
      onBlur={() => onChange({ uris: draft.uris.map((uri) => uri.trim()).filter((uri) => uri !== '') })}
      error={faultOf(error, 'groups[0].callee.uri') ?? faults[0]}
    />
  );
}
