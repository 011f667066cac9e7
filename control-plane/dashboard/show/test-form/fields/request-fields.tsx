/** What requests carry, and the timeouts of responses. */
import { Fieldset, Stack } from '@mantine/core';
import { Fields, Part } from '../../basics/fields.tsx';
import { type Form, partOf } from '../../basics/form.ts';
import { type DraftGroup, type DraftRequests, FIRST_PARTS, FIRST_TIMER } from '../drafts/group-draft.ts';
import { HeaderFields } from './header-fields.tsx';

const ENGINES = { CORE: "Carillon's own", SIPJS: 'SIP.js, as in browser phones' };
const REFRESHERS = { '': "the far end's choice", UAC: 'the caller', UAS: 'the callee' };

type Props = {
  readonly form: Form<DraftRequests & Pick<DraftGroup, 'signalling'>>;
  /** Which settings apply: REGISTER is sent; calls are placed; they have a session timer. */
  readonly has: {
    readonly registration: boolean;
    readonly calling: boolean;
    readonly timer: boolean;
    /** They speak over a WebSocket, where there is a choice of engines. */
    readonly engine: boolean;
  };
};

export function RequestFields({ form, has }: Props) {
  const { engine, registerRetry: retry, signalling } = form.values;
  const timer = signalling.sessionTimer;
  return (
    <Fieldset legend="Signalling">
      <Stack>
        {(has.engine || engine !== 'CORE') && (
          <Fields
            form={form}
            cols={1}
            rows={[
              {
                key: 'engine',
                label: 'SIP stack',
                hint: 'SIP.js speaks WS and WSS. What it cannot do is refused before the run.',
                words: ENGINES,
              },
            ]}
          />
        )}
        <Fields
          form={form}
          rows={[
            has.calling && {
              key: 'answerTimeoutSeconds',
              label: 'Answer timeout, seconds',
              hint: 'A call that has not been answered by then is cancelled.',
            },
            has.registration && {
              key: 'registerExpiresSeconds',
              label: 'Registration expires, seconds',
              hint: 'Requested in REGISTER; the registrar may grant another value.',
            },
          ]}
        />
        {has.registration && (
          <Part
            form={form}
            row={{
              key: 'registerRetry',
              label: 'Register again after a failure',
              hint: 'After no answer, 408, 430, 480, 500 and 502 to 504. Any other failure ends the attempt.',
            }}
            first={FIRST_PARTS.registerRetry}
            rows={[
              {
                key: 'afterSeconds',
                label: 'Wait before a retry, seconds',
                hint: 'A longer Retry-After of the registrar takes precedence.',
              },
              {
                key: 'withinSeconds',
                label: 'Retry for, seconds',
                hint: 'From the first failure. A refresh is retried until its binding expires.',
                fault:
                  retry && retry.withinSeconds < retry.afterSeconds
                    ? 'is shorter than the wait before a retry'
                    : undefined,
              },
            ]}
          />
        )}
        {has.timer && (
          <Part
            form={partOf(form, 'signalling')}
            row={{
              key: 'sessionTimer',
              label: 'Session timer',
              hint: 'Calls are refreshed before the session expires, and end if the refresh fails (RFC 4028).',
            }}
            first={FIRST_TIMER}
            cols={3}
            rows={[
              { key: 'expiresSeconds', label: 'Expires, seconds', hint: 'In Session-Expires.' },
              {
                key: 'minSeconds',
                label: 'At least, seconds',
                hint: 'Min-SE: shorter sessions are refused.',
                fault:
                  timer && timer.minSeconds > timer.expiresSeconds ? 'is longer than the session interval' : undefined,
              },
              { key: 'refresher', label: 'Refreshed by', hint: 'With re-INVITE or UPDATE.', words: REFRESHERS },
            ]}
          />
        )}
        <HeaderFields form={form} />
      </Stack>
    </Fieldset>
  );
}
