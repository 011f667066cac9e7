/**
 * Permitted and forbidden oddities within dialogs, by SIPp: a result of REFER after BYE, descriptions as parts of bodies and missing
 * ones, a reason before the final response.
 */
import t from 'tap';
import { openLab } from '../../peers/lab/lab.ts';
import { callsTo, receives, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';

const net = ownLoopback();
const called = (n: number, file: string) =>
  startSipp({ address: net.address(n), scenario: { file }, args: ['-m', '1'] });
const referred = await called(80, 'bye-before-result.xml');
const silent = await called(81, 'answer-without-description.xml');
const refusing = await called(82, 'cause-in-progress.xml');

const REFER = { do: 'REFER', target: `sip:9@${net.address(83)}` } as const;
const one = { endpoints: 1, durationSeconds: 10, media: SPEAKS_ONLY };
const lab = await openLab(t, {
  net,
  provision: () => ({
    tests: [
      callsTo(referred.uri, 'referred', {
        ...one,
        media: { ...SPEAKS_ONLY, actions: [{ trigger: { on: 'ANSWERED', afterSeconds: 0.2 }, action: REFER }] },
      }),
      callsTo(silent.uri, 'silent', one),
      callsTo(refusing.uri, 'refusing', one),
      receives('parts', { ...one, durationSeconds: 60, media: { ...SPEAKS_ONLY, audioCodecs: ['PCMU', 'PCMA'] } }),
      receives('unanswered', { ...one, durationSeconds: 60 }),
    ],
  }),
});

const failureOf = async (run: { readonly id: string }) => (await lab.endpoints(run.id))[0]?.failure;

t.test('the result of a REFER that comes after the far end’s BYE', async (t) => {
  const run = await lab.runToEnd('referred');
  t.match(await lab.endpoints(run.id), [{ outcome: 'SUCCESS', failure: null }]);
  const { projectId } = lab;
  const events = await lab.call('listTestRunEvents', { projectId, testRunId: run.id, kind: 'ACTION', per_page: 100 });
  t.match(events.rows, [{ detail: `REFER to ${REFER.target}, 0.2 s after ANSWERED` }]);
  t.match((await referred.end()).totals, { SuccessfulCall: 1, FailedCall: 0 });
});

t.test('a 200 without a description, after one in a 183 that was not reliable', async (t) => {
  const text = 'the 200 had no session description (RFC 3261, 13.2.1)';
  t.match(await failureOf(await lab.runToEnd('silent')), { cause: 'ANSWER_UNUSABLE', party: 'callee', reason: text });
  t.match((await silent.end()).totals, { SuccessfulCall: 1, FailedCall: 0 });
});

t.test('a reason in a 183, and a refusal that says less', async (t) => {
  t.match(await failureOf(await lab.runToEnd('refusing')), {
    ...{ sipStatus: 480, q850: 34 },
    reasonText: /Normal, unspecified; see log.*in the 183 before: No circuit\/channel available; SIP 503/,
  });
});

for (const [slug, file, what] of [
  ['parts', 'offer-in-parts.xml', 'an offer beside a location'],
  ['unanswered', 'ack-without-answer.xml', 'an ACK without the answer to our offer'],
] as const)
  t.test(what, async (t) => {
    const id = await lab.startRun(slug);
    const target = `${net.address(11)}:${lab.agents[0]?.sipPort}`;
    const sipp = await startSipp({
      address: net.address(84),
      scenario: { file },
      target,
      args: ['-m', '1', '-s', '1000'],
    });
    await sipp.exited;
    t.match((await sipp.end()).totals, { SuccessfulCall: 1, FailedCall: 0 });
    const run = await lab.ended(id);
    if (slug === 'parts') t.match(await lab.endpoints(run.id), [{ outcome: 'SUCCESS', failure: null }]);
    else
      t.match(await failureOf(run), {
        ...{ cause: 'ANSWER_UNUSABLE', party: 'caller' },
        reason: 'the ACK had no session description (RFC 3261, 13.2.1)',
      });
  });
