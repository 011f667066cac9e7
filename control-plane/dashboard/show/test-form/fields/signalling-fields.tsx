/** SIP features beyond the simple call, for callers or for callees. */
import { Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import type { CallSide, DraftSignalling } from '../drafts/scenario-draft.ts';
import { Decimal, MaybeWhole, Whole } from './whole.tsx';

const RELIABLE = [
  { value: 'NONE', label: 'Not offered' },
  { value: 'SUPPORTED', label: 'Supported' },
  { value: 'REQUIRED', label: 'Required' },
];
const PROVISIONAL = [
  { value: '180', label: '180 Ringing' },
  { value: '183', label: '183 with SDP: media before the answer' },
];
const MAX_REDIRECTS = 10;
const MAX_DELAY_SECONDS = 60;
const MAX_RING_SECONDS = 180;

type Props = {
  readonly signalling: DraftSignalling;
  readonly side: CallSide;
  /** True: endpoints send REGISTER. */
  readonly registers: boolean;
  readonly error: Error | null;
  /** The path in a request, as `groups[0].signalling`. */
  readonly at: string;
  readonly onChange: (signalling: DraftSignalling) => void;
};

export function SignallingFields({ signalling, side, registers, error, at, onChange }: Props) {
  const set = (change: Partial<DraftSignalling>) => onChange({ ...signalling, ...change });
  const fault = (name: keyof DraftSignalling) => faultOf(error, `${at}.${name}`);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Reliable provisional responses"
          description="100rel: 18x are acknowledged with PRACK (RFC 3262)."
          data={RELIABLE}
          value={signalling.reliableProvisional}
          allowDeselect={false}
          onChange={(v) => set({ reliableProvisional: v as DraftSignalling['reliableProvisional'] })}
          error={fault('reliableProvisional')}
        />
        {side === 'CALLER' ? (
          <Whole
            label="Redirects"
            description="3xx responses that a call follows; 0: the first one ends it."
            value={signalling.maxRedirects}
            min={0}
            max={MAX_REDIRECTS}
            onChange={(maxRedirects) => set({ maxRedirects })}
            error={fault('maxRedirects')}
          />
        ) : (
          <AnswerFields signalling={signalling} fault={fault} set={set} />
        )}
      </SimpleGrid>
      {side === 'CALLER' && (
        <>
          <Checkbox
            label="INVITE without SDP"
            description="Delayed offer: the callee offers in its answer."
            checked={signalling.delayedOffer}
            onChange={(e) => set({ delayedOffer: e.target.checked })}
            error={fault('delayedOffer')}
          />
          <Checkbox
            label="X-Carillon-Call in INVITE"
            description="Both ends of a call are found by it. Turn it off for SBCs that refuse unknown header fields."
            checked={signalling.correlate}
            onChange={(e) => set({ correlate: e.target.checked })}
            error={fault('correlate')}
          />
        </>
      )}
      {registers && (
        <Checkbox
          label="Outbound flow"
          description="REGISTER offers one under an instance of the account that stays the same (RFC 5626)."
          checked={signalling.instanceId === 'ACCOUNT'}
          onChange={(e) => set({ instanceId: e.target.checked ? 'ACCOUNT' : 'NONE' })}
          error={fault('instanceId')}
        />
      )}
    </Stack>
  );
}

type AnswerProps = {
  readonly signalling: DraftSignalling;
  readonly fault: (name: keyof DraftSignalling) => string | undefined;
  readonly set: (change: Partial<DraftSignalling>) => void;
};

const AnswerFields = ({ signalling, fault, set }: AnswerProps) => (
  <>
    <Select
      label="Provisional response"
      description="Sent before the final response."
      data={PROVISIONAL}
      value={String(signalling.provisional)}
      allowDeselect={false}
      onChange={(v) => set({ provisional: v === '183' ? 183 : 180 })}
      error={fault('provisional')}
    />
    <Decimal
      label="Delay before it, seconds"
      description="From the INVITE to the provisional response."
      value={signalling.answerDelaySeconds}
      min={0}
      max={MAX_DELAY_SECONDS}
      onChange={(answerDelaySeconds) => set({ answerDelaySeconds })}
      error={fault('answerDelaySeconds')}
    />
    <Decimal
      label="Ringing, seconds"
      description="From the provisional response to the final one."
      value={signalling.ringSeconds}
      min={0}
      max={MAX_RING_SECONDS}
      onChange={(ringSeconds) => set({ ringSeconds })}
      error={fault('ringSeconds')}
    />
    <MaybeWhole
      label="Refuse with"
      description="The final response, 400 to 699, for example 486."
      placeholder="calls are answered"
      value={signalling.rejectStatus}
      min={400}
      max={699}
      onChange={(rejectStatus) => set({ rejectStatus })}
      error={fault('rejectStatus')}
    />
  </>
);
