/** What the owner of the installation does for a customer: a new one, another plan, an invitation of its first OWNER. */
import { Anchor, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import type { Tier } from '../../../contract/people/words.ts';
import { faultOf, useCall, useChange } from '../../../dashboard/api.ts';
import { useMe } from '../../../dashboard/me.tsx';
import { Modal } from '../../../dashboard/show/basics/dialog.tsx';
import { count, duration, plural } from '../../../dashboard/show/basics/figures.ts';
import { Failed } from '../../../dashboard/show/basics/page.tsx';
import { ShownOnce } from '../../../dashboard/show/basics/shown-once.tsx';
import { plain } from '../../../dashboard/show/basics/words.tsx';
import { invitationLink } from '../../../dashboard/show/people/invitation-link.tsx';

type Customer = Output<'listCustomers'>;
type Limits = Output<'getPlan'>['limits'];

/** What a plan includes, in a sentence. */
function planWords(limits: Limits): string {
  const { concurrentEndpoints, concurrentRuns, probes, maxRunSeconds, endpointMinutesPerMonth } = limits;
  const parts = [
    concurrentEndpoints !== null && `${plural(concurrentEndpoints, 'endpoint')} at once`,
    concurrentRuns !== null && `${plural(concurrentRuns, 'run')} at once`,
    probes !== null && plural(probes, 'probe'),
    maxRunSeconds !== null && `runs up to ${duration(maxRunSeconds)}`,
    endpointMinutesPerMonth !== null && `${count(endpointMinutesPerMonth)} endpoint minutes a month`,
    limits.apiAccess ? `${count(limits.requestsPerMinute)} requests a minute and key` : 'no API',
  ];
  return parts.filter(Boolean).join(', ');
}

function PlanField({ value, onChange }: { value: Tier; onChange: (plan: Tier) => void }) {
  const { plans = [] } = useCall('getPlan', {}).data ?? {};
  const limits = plans.find(({ plan }) => plan === value)?.limits;
  return (
    <Select
      label="Plan"
      description={limits && planWords(limits)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={plans.map(({ plan }) => ({ value: plan, label: plain(plan) }))}
      value={value}
      allowDeselect={false}
      onChange={(plan) => onChange(plan as Tier)}
    />
  );
}

type EmailProps = { readonly value: string; readonly error: unknown; readonly onChange: (email: string) => void };

/** The creator of an organization sees only its figures, and becomes its owner only by an invitation to the own address. */
function EmailField({ value, error, onChange }: EmailProps) {
  const { email } = useMe().user;
  return (
    <div>
      <TextInput
        label="E-mail of the first owner"
        description="This person comes in by a link, and invites others."
        type="email"
        required
        value={value}
        onChange={(e) => onChange(e.target.value)}
        error={faultOf(error, 'email')}
      />
      {value !== email && (
        <Anchor component="button" type="button" size="sm" className="target" onClick={() => onChange(email)}>
          I am its first owner
        </Anchor>
      )}
    </div>
  );
}

const Mailed = ({ invited }: { invited: Output<'createCustomer'> | undefined }) =>
  invited?.invitation.token === null ? (
    <Text role="status">{invited.invitation.email} has an account: the link was mailed there.</Text>
  ) : null;

const isAtField = (error: unknown): boolean => ['name', 'email'].some((field) => faultOf(error, field) !== undefined);

export function NewCustomerDialog() {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [plan, setPlan] = useState<Tier>('UNLIMITED');
  const create = useChange('createCustomer');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name, email, plan });
  };
  const close = () => {
    setOpened(false);
    setName('');
    setEmail('');
    create.reset();
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpened(true)}>
        New customer
      </Button>
      <ShownOnce
        title={create.data ? create.data.name : 'New customer'}
        size="lg"
        opened={opened}
        onClose={close}
        secret={invitationLink(create.data?.invitation)}
      >
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name of the organization"
              required
              data-autofocus
              value={name}
              onChange={(e) => setName(e.target.value)}
              error={faultOf(create.error, 'name')}
            />
            <PlanField value={plan} onChange={setPlan} />
            <EmailField value={email} error={create.error} onChange={setEmail} />
            {create.error && !isAtField(create.error) && <Failed error={create.error} />}
            <Mailed invited={create.data} />
            <Button type="submit" loading={create.isPending} disabled={create.isSuccess}>
              Create
            </Button>
          </Stack>
        </form>
      </ShownOnce>
    </>
  );
}

export function InviteOwner({ customer }: { customer: Customer }) {
  const [opened, setOpened] = useState(false);
  const [email, setEmail] = useState('');
  const invite = useChange('inviteCustomerOwner');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ customerId: customer.id, email });
  };
  const close = () => {
    setOpened(false);
    setEmail('');
    invite.reset();
  };
  return (
    <>
      <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Invite
      </Button>
      <ShownOnce
        title={`Invite the owner of ${customer.name}`}
        size="lg"
        opened={opened}
        onClose={close}
        secret={invitationLink(invite.data?.invitation)}
      >
        <form onSubmit={submit}>
          <Stack>
            <EmailField value={email} error={invite.error} onChange={setEmail} />
            {invite.error && !isAtField(invite.error) && <Failed error={invite.error} />}
            <Mailed invited={invite.data} />
            <Button type="submit" loading={invite.isPending} disabled={invite.isSuccess}>
              Make the link
            </Button>
          </Stack>
        </form>
      </ShownOnce>
    </>
  );
}

export function ChangePlan({ customer }: { customer: Customer }) {
  const [opened, setOpened] = useState(false);
  const [plan, setPlan] = useState<Tier>(customer.plan);
  const update = useChange('updateCustomer', () => setOpened(false));
  const open = () => {
    setPlan(customer.plan);
    update.reset();
    setOpened(true);
  };
  return (
    <>
      <Button size="xs" variant="default" aria-haspopup="dialog" onClick={open}>
        Plan
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Plan of ${customer.name}`}>
        <Stack>
          <PlanField value={plan} onChange={setPlan} />
          <Text size="sm" c="dimmed">
            It applies to the next run. Probes beyond its limit stay.
          </Text>
          {update.error && <Failed error={update.error} />}
          <Button
            loading={update.isPending}
            disabled={plan === customer.plan}
            onClick={() => update.mutate({ customerId: customer.id, plan })}
          >
            Save
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
