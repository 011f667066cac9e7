/** SIP features beyond the simple call, for callers or for callees. */
import { Fields } from '../../basics/fields.tsx';
import type { FieldRows, Form } from '../../basics/form.ts';
import type { CallSide, DraftSignalling } from '../drafts/scenario-draft.ts';

const RELIABLE = { NONE: 'Not offered', SUPPORTED: 'Supported', REQUIRED: 'Required' };
const PROVISIONAL = { 180: '180 Ringing', 183: '183 with SDP: media before the answer' };

const OF_SIDE: Readonly<Record<CallSide, FieldRows<DraftSignalling>>> = {
  CALLER: [
    {
      key: 'maxRedirects',
      label: 'Redirects',
      hint: '3xx responses that a call follows. With 0, a redirect ends the call.',
    },
    { key: 'delayedOffer', label: 'INVITE without SDP', hint: 'Delayed offer: the callee offers in its answer.' },
    {
      key: 'correlate',
      label: 'X-Carillon-Call in INVITE',
      hint: 'Both ends of a call are found by it. Turn it off for SBCs that refuse unknown header fields.',
    },
  ],
  CALLEE: [
    {
      key: 'provisional',
      label: 'Provisional response',
      hint: 'Sent before the final response.',
      words: PROVISIONAL,
    },
    {
      key: 'answerDelaySeconds',
      label: 'Delay before it, seconds',
      hint: 'From the INVITE to the provisional response.',
    },
    { key: 'ringSeconds', label: 'Ringing, seconds', hint: 'From the provisional response to the final one.' },
    {
      key: 'rejectStatus',
      label: 'Refuse with',
      hint: 'The final response, 400 to 699, for example 486.',
      placeholder: 'calls are answered',
    },
  ],
};

type Props = {
  readonly form: Form<DraftSignalling>;
  readonly side: CallSide;
};

export const SignallingFields = ({ form, side }: Props) => (
  <Fields
    form={form}
    rows={[
      {
        key: 'reliableProvisional',
        label: 'Reliable provisional responses',
        hint: '100rel: 18x are acknowledged with PRACK (RFC 3262).',
        words: RELIABLE,
      },
      ...OF_SIDE[side],
    ]}
  />
);
