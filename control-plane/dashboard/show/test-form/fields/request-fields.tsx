/** The SIP stack, registration and session timer of endpoints. */
import { Checkbox, Stack } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import { Fields, Part } from '../../basics/fields.tsx';
import { type Form, partOf, pathOf } from '../../basics/form.ts';
import { type DraftGroup, type DraftRequests, FIRST_PARTS, FIRST_TIMER, PLAIN_GROUP } from '../drafts/group-draft.ts';

const ENGINES = { CORE: "Carillon's own", SIPJS: 'SIP.js, as in browser phones' };
const REFRESHERS = { '': "the far end's choice", UAC: 'the caller', UAS: 'the callee' };

type Props = {
  readonly form: Form<DraftRequests & Pick<DraftGroup, 'signalling'>>;
  /** Which settings apply: REGISTER is sent; calls have a session timer. */
  readonly has: {
    readonly registration: boolean;
    readonly timer: boolean;
    /** They speak over a WebSocket, where there is a choice of engines. */
    readonly engine: boolean;
  };
};

export function RequestFields({ form, has }: Props) {
  const { engine, registerRetry: retry, signalling } = form.values;
  const timer = signalling.sessionTimer;
  const inSignalling = partOf(form, 'signalling');
  return (
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
      {has.registration && (
        <>
          <Fields
            form={form}
            rows={[
              {
                key: 'registerExpiresSeconds',
                label: 'Registration expires, seconds',
                hint: 'Requested in REGISTER; the registrar may grant another value.',
              },
            ]}
          />
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
          <Checkbox
            label="Outbound flow"
            description="REGISTER offers one under an instance of the account that stays the same (RFC 5626)."
            checked={signalling.instanceId === 'ACCOUNT'}
            onChange={(e) => inSignalling.set({ instanceId: e.target.checked ? 'ACCOUNT' : 'NONE' })}
            error={faultOf(form.error, pathOf(inSignalling, 'instanceId'))}
          />
        </>
      )}
      {has.timer && (
        <Part
          form={inSignalling}
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
    </Stack>
  );
}

/** Settings of a registration are shown where there is one, or where some are set. */
export const hasRegistration = (registers: boolean, of: Props['form']['values']): boolean =>
  registers ||
  of.registerExpiresSeconds !== PLAIN_GROUP.registerExpiresSeconds ||
  of.registerRetry !== null ||
  of.signalling.instanceId !== 'NONE';
