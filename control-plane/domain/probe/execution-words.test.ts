/** What an execution that went well says: with the final status, in each mode. */

import { causeOfOptionsResponse } from '@carillon/proto/words/causes.ts';
import t from 'tap';
import { PHASES, type Phase } from '../../contract/run/words.ts';
import { type ExecutionFacts, executionSentence } from './execution-words.ts';

const GOOD: ExecutionFacts = {
  ...{ mode: 'CALL', status: 'HEALTHY', because: 'CALL', results: [], limits: [], failure: null, findings: [] },
  ...{ phase: 'CLOSED', finalStatus: 200, isExpected: false, tookMs: 58.4, heard: true, isReported: true },
  ...{ worker: null, since: null, runStatus: 'COMPLETED', runError: null, noise: null, elsewhere: null },
};

const BUSY: NonNullable<ExecutionFacts['failure']> = {
  cause: 'BUSY',
  sipStatus: 486,
  reason: 'Busy Here',
  q850: null,
  reasonText: null,
  warning: null,
  retryAfterSeconds: null,
};

t.test('the final status is said in each mode', async (t) => {
  const rows: [facts: Partial<ExecutionFacts>, sentence: RegExp][] = [
    [{}, /^The call was answered \(200\) after 58 ms, and heard both ways\.$/],
    [{ heard: null }, /^The call was answered \(200\) after 58 ms\.$/],
    [{ heard: false }, /^The call was answered \(200\) after 58 ms; it was not heard for the whole time\.$/],
    [{ heard: false, isReported: false }, /; it was not heard for the whole time\.$/],
    [{ isReported: false }, /^The call was answered \(200\) after 58 ms, and we heard the far end; it did not report/],
    [{ mode: 'REGISTER' }, /^Registered \(200\) after 58 ms\.$/],
    [{ mode: 'REGISTER', finalStatus: null, tookMs: null }, /^Registered\.$/],
    [{ mode: 'OPTIONS' }, /^OPTIONS was answered \(200\) after 58 ms\.$/],
    [{ mode: 'OPTIONS', finalStatus: 405 }, /^OPTIONS was answered \(405\) after 58 ms: .* so is there/],
    [{ mode: 'OPTIONS', finalStatus: 405, isExpected: true }, /^The far end answered 405 after 58 ms, as expected\.$/],
  ];
  for (const [facts, sentence] of rows) t.match(executionSentence({ ...GOOD, ...facts }), sentence);
});

t.test('how far the endpoint came is said in words, in each phase', async (t) => {
  const failing = (phase: Phase, more: Partial<ExecutionFacts>): string =>
    executionSentence({ ...GOOD, status: 'UNHEALTHY', phase, failure: BUSY, worker: 'edge-1', ...more });
  for (const phase of PHASES)
    t.match(failing(phase, {}), /\. (?:Before|While|After|During) [a-z ]+, from worker edge-1\.$/, phase);
  const rows: [phase: Phase, facts: Partial<ExecutionFacts>, words: string][] = [
    ['INITIALIZING', {}, 'Before the call'],
    ['INITIALIZING', { failure: { ...BUSY, cause: 'REGISTRATION_DENIED' } }, 'While registering'],
    ['INITIALIZING', { mode: 'REGISTER' }, 'While registering'],
    ['REGISTERED', { mode: 'REGISTER' }, 'While registered'],
    ['CALLING', {}, 'While calling'],
    ['RINGING', {}, 'While it rang'],
    ['INCALL', {}, 'During the call'],
  ];
  for (const [phase, facts, words] of rows) t.match(failing(phase, facts), `. ${words}, from`);
  t.notMatch(failing('CALLING', { mode: 'OPTIONS' }), /calling/, 'OPTIONS has no phases');
});

t.test('which answers to OPTIONS say that the far end is there, as the guide says', async (t) => {
  for (let status = 200; status < 700; status++) {
    const isThere = status !== 408 && (status < 500 || status === 501 || status >= 600);
    t.equal(causeOfOptionsResponse(status) === null, isThere, String(status));
  }
});
