/** What is done with the media of calls: digits are pressed, received packets are impaired, RTP headers are kept. */
import { Stack } from '@mantine/core';
import { Part } from '../../basics/fields.tsx';
import type { Form } from '../../basics/form.ts';
import { type DraftScenario, FIRST_PARTS } from '../drafts/group-draft.ts';

const DISTRIBUTIONS = { UNIFORM: 'uniform', NORMAL: 'normal', SPIKES: 'spikes' };

export const StreamFields = ({ form }: { readonly form: Form<DraftScenario> }) => (
  <Stack>
    <Part
      form={form}
      row={{ key: 'dtmf', label: 'Digits after the answer', hint: 'Each endpoint presses them once (RFC 4733).' }}
      first={FIRST_PARTS.dtmf}
      rows={[
        { key: 'digits', label: 'Digits', hint: '0-9 * # A-D, or {{column}} of the account.' },
        { key: 'afterMs', label: 'First after, ms', hint: 'From the answer.' },
        { key: 'onMs', label: 'Held for, ms', hint: 'Each digit.' },
        { key: 'offMs', label: 'Pause, ms', hint: 'Between two digits.' },
      ]}
    />
    <Part
      form={form}
      row={{
        key: 'impairment',
        label: 'Impaired network',
        hint: 'Received packets are lost, delayed or reordered before they are counted.',
      }}
      first={FIRST_PARTS.impairment}
      cols={{ base: 2, sm: 4 }}
      rows={[
        { key: 'lossPercent', label: 'Loss, %' },
        { key: 'burstRatio', label: 'Burst ratio' },
        { key: 'delayMs', label: 'Delay, ms' },
        { key: 'jitterMs', label: 'Jitter, ms' },
        { key: 'reorderPercent', label: 'Reordered, %' },
        { key: 'duplicatePercent', label: 'Duplicated, %' },
        { key: 'jitterDistribution', label: 'Jitter is', words: DISTRIBUTIONS },
        { key: 'seed', label: 'Seed' },
      ]}
    />
    <Part
      form={form}
      row={{
        key: 'rtpTrace',
        label: 'Keep RTP headers',
        hint: 'Of some endpoints, for the pcapng file of the run.',
      }}
      first={FIRST_PARTS.rtpTrace}
      rows={[
        { key: 'endpoints', label: 'Endpoints traced', hint: "Of each worker's part of the test." },
        { key: 'packets', label: 'Packets traced', hint: 'The first of each stream, each way.' },
      ]}
    />
  </Stack>
);
