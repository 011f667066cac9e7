/** What requests carry, and the timeouts of responses. */
import { Checkbox, Fieldset, Select, SimpleGrid, Stack } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import {
  type DraftRequests,
  type DraftRetry,
  type DraftTimer,
  FIRST_RETRY,
  FIRST_TIMER,
} from '../drafts/group-draft.ts';
import { HeaderFields } from './header-fields.tsx';
import { Whole } from './whole.tsx';

const MAX_ANSWER_SECONDS = 180;
const MAX_SECONDS = 86_400;
const MAX_RETRY_SECONDS = 3600;
const ENGINES = [
  { value: 'CORE', label: "Carillon's own" },
  { value: 'SIPJS', label: 'SIP.js, as in browser phones' },
];
const REFRESHERS = [
  { value: '', label: "the far end's choice" },
  { value: 'UAC', label: 'the caller' },
  { value: 'UAS', label: 'the callee' },
];

type Props = {
  readonly requests: DraftRequests;
  /** Which settings apply: REGISTER is sent, and repeated; calls are placed; they have a session timer. */
  readonly has: {
    readonly registration: boolean;
    readonly retry: boolean;
    readonly calling: boolean;
    readonly timer: boolean;
    /** They speak over a WebSocket, where there is a choice of engines. */
    readonly engine: boolean;
  };
  readonly error: Error | null;
  /** The path in a request, as `groups[0]`. */
  readonly at: string;
  readonly onChange: (requests: DraftRequests) => void;
};

export function RequestFields({ requests, has, error, at, onChange }: Props) {
  const set = (change: Partial<DraftRequests>) => onChange({ ...requests, ...change });
  const { sessionTimer, registerRetry } = requests;
  return (
    <Fieldset legend="Signalling">
      <Stack>
        {(has.engine || requests.engine !== 'CORE') && (
          <Select
            label="SIP stack"
            description="SIP.js speaks WS and WSS. What it cannot do is refused before the run."
            data={ENGINES}
            value={requests.engine}
            allowDeselect={false}
            onChange={(engine) => set({ engine: engine as DraftRequests['engine'] })}
            error={faultOf(error, `${at}.engine`)}
          />
        )}
        {(has.calling || has.registration) && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {has.calling && (
              <Whole
                label="Answer timeout, seconds"
                description="A call that has not been answered by then is cancelled."
                value={requests.answerTimeoutSeconds}
                min={1}
                max={MAX_ANSWER_SECONDS}
                onChange={(answerTimeoutSeconds) => set({ answerTimeoutSeconds })}
                error={faultOf(error, `${at}.answerTimeoutSeconds`)}
              />
            )}
            {has.registration && (
              <Whole
                label="Registration expires, seconds"
                description="Requested in REGISTER; the registrar may grant another value."
                value={requests.registerExpiresSeconds}
                min={30}
                max={MAX_SECONDS}
                onChange={(registerExpiresSeconds) => set({ registerExpiresSeconds })}
                error={faultOf(error, `${at}.registerExpiresSeconds`)}
              />
            )}
          </SimpleGrid>
        )}
        {has.retry && (
          <Checkbox
            label="Register again after a failure"
            description="After no answer, 408, 430, 480, 500 and 502 to 504. Any other failure ends the attempt."
            checked={registerRetry !== null}
            onChange={(e) => set({ registerRetry: e.target.checked ? FIRST_RETRY : null })}
          />
        )}
        {has.retry && registerRetry && (
          <RetryFields
            retry={registerRetry}
            error={error}
            at={`${at}.registerRetry`}
            onChange={(retry) => set({ registerRetry: retry })}
          />
        )}
        {has.timer && (
          <Checkbox
            label="Session timer"
            description="Calls are refreshed before the session expires, and end if the refresh fails (RFC 4028)."
            checked={sessionTimer !== null}
            onChange={(e) => set({ sessionTimer: e.target.checked ? FIRST_TIMER : null })}
          />
        )}
        {has.timer && sessionTimer && (
          <TimerFields
            timer={sessionTimer}
            error={error}
            at={`${at}.signalling.sessionTimer`}
            onChange={(timer) => set({ sessionTimer: timer })}
          />
        )}
        <HeaderFields headers={requests.headers} error={error} at={at} onChange={(headers) => set({ headers })} />
      </Stack>
    </Fieldset>
  );
}

type RetryProps = {
  readonly retry: DraftRetry;
  readonly error: Error | null;
  readonly at: string;
  readonly onChange: (retry: DraftRetry) => void;
};

const RetryFields = ({ retry, error, at, onChange }: RetryProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <Whole
      label="Wait before a retry, seconds"
      description="A longer Retry-After of the registrar takes precedence."
      value={retry.afterSeconds}
      min={1}
      max={MAX_RETRY_SECONDS}
      onChange={(afterSeconds) => onChange({ ...retry, afterSeconds })}
      error={faultOf(error, `${at}.afterSeconds`)}
    />
    <Whole
      label="Retry for, seconds"
      description="From the first failure. A refresh is retried until its binding expires."
      value={retry.withinSeconds}
      min={1}
      max={MAX_RETRY_SECONDS}
      onChange={(withinSeconds) => onChange({ ...retry, withinSeconds })}
      error={
        retry.withinSeconds < retry.afterSeconds
          ? 'is shorter than the wait before a retry'
          : faultOf(error, `${at}.withinSeconds`)
      }
    />
  </SimpleGrid>
);

type TimerProps = {
  readonly timer: DraftTimer;
  readonly error: Error | null;
  readonly at: string;
  readonly onChange: (timer: DraftTimer) => void;
};

const TimerFields = ({ timer, error, at, onChange }: TimerProps) => (
  <SimpleGrid cols={{ base: 1, sm: 3 }}>
    <Whole
      label="Expires, seconds"
      description="In Session-Expires."
      value={timer.expiresSeconds}
      min={90}
      max={MAX_SECONDS}
      onChange={(expiresSeconds) => onChange({ ...timer, expiresSeconds })}
      error={faultOf(error, `${at}.expiresSeconds`)}
    />
    <Whole
      label="At least, seconds"
      description="Min-SE: shorter sessions are refused."
      value={timer.minSeconds}
      min={90}
      max={MAX_SECONDS}
      onChange={(minSeconds) => onChange({ ...timer, minSeconds })}
      error={
        timer.minSeconds > timer.expiresSeconds
          ? 'is longer than the session interval'
          : faultOf(error, `${at}.minSeconds`)
      }
    />
    <Select
      label="Refreshed by"
      description="With re-INVITE or UPDATE."
      data={REFRESHERS}
      value={timer.refresher ?? ''}
      allowDeselect={false}
      onChange={(refresher) => onChange({ ...timer, refresher: (refresher || null) as DraftTimer['refresher'] })}
    />
  </SimpleGrid>
);
