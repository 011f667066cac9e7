/** Requests within a dialog against SIPp, over real sockets: one SIPp for each scenario, in parallel. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type Call, PLAIN_SIGNALLING, type SignallingOptions } from '../sip/engine.ts';
import { agentOf, isOver, side, turnUntil } from '../testing/sip/sides.ts';
import { type AgentSipp, startSipp } from '../testing/sip/sipp.ts';
import { type Step, scenarioXml, sdp } from '../testing/sip/sipp-dialog.ts';
import { CallLog, SDP } from '../testing/sip/virtual.ts';

const OURS = SDP('sendrecv', '127.0.0.1').replace('o=peer', 'o=-');
const ALLOW = 'Allow: INVITE, ACK, BYE, CANCEL, UPDATE';
const TIMER: Partial<SignallingOptions> = { sessionTimer: { expiresSeconds: 120, minSeconds: 90, refresher: null } };

/** SIPp accepts our call. */
const taken: Step[] = [
  { recv: 'INVITE', keeps: true },
  { answer: '200 OK', lines: [ALLOW], body: sdp('sendrecv') },
  { recv: 'ACK' },
];
const hungUpByUs: Step[] = [{ recv: 'BYE' }, { answer: '200 OK' }];
const hangsUp = (cseq: number): Step[] => [{ send: 'BYE', cseq }, { recv: '200' }];
const sipfrag = (cseq: number, state: string, line: string): Step => ({
  send: 'NOTIFY',
  cseq,
  lines: ['Event: refer', `Subscription-State: ${state}`],
  body: `${line}\n`,
  type: 'message/sipfrag',
});

type Play = {
  readonly what: string;
  readonly steps: readonly Step[];
  /** What we do at an event of the call; events are named as in CallLog. */
  readonly acts?: { readonly [event: string]: (call: Call) => void };
  readonly events: readonly string[];
  readonly signalling?: Partial<SignallingOptions>;
  /** SIPp calls us. */
  readonly incoming?: boolean;
};

const plays: readonly Play[] = [
  {
    what: 'the peer holds and resumes by re-INVITE',
    steps: [
      ...taken,
      { send: 'INVITE', cseq: 10, body: sdp('sendonly', 2) },
      { recv: '200', check: { header: 'body', holds: 'a=recvonly' } },
      { send: 'ACK', cseq: 10 },
      { send: 'INVITE', cseq: 11, body: sdp('sendrecv', 3) },
      { recv: '200', check: { header: 'body', holds: 'a=sendrecv' } },
      { send: 'ACK', cseq: 11 },
      ...hangsUp(12),
    ],
    events: ['answered 200', 'changed by REMOTE', 'changed by REMOTE', 'ended REMOTE'],
  },
  {
    what: 'we hold and resume by re-INVITE',
    steps: [
      ...taken,
      { recv: 'INVITE', check: { header: 'body', holds: 'a=sendonly' } },
      { answer: '200 OK', lines: [ALLOW], body: sdp('recvonly', 2) },
      { recv: 'ACK' },
      { recv: 'INVITE', check: { header: 'body', holds: 'a=sendrecv' } },
      { answer: '200 OK', lines: [ALLOW], body: sdp('sendrecv', 3) },
      { recv: 'ACK' },
      ...hungUpByUs,
    ],
    acts: {
      'answered 200': (call) => call.changeSession(OURS.replace('sendrecv', 'sendonly'), 'INVITE'),
      'changed by LOCAL': (call) => call.changeSession(OURS, 'INVITE'),
      'changed by LOCAL 2': (call) => call.hangUp(),
    },
    events: ['answered 200', 'changed by LOCAL', 'changed by LOCAL', 'ended LOCAL'],
  },
  {
    what: 'UPDATE both ways',
    steps: [
      ...taken,
      { recv: 'UPDATE', check: { header: 'body', holds: 'a=sendonly' } },
      { answer: '200 OK', lines: [ALLOW], body: sdp('recvonly', 2) },
      { send: 'UPDATE', cseq: 10, body: sdp('recvonly', 2) },
      { recv: '200', check: { header: 'CSeq', holds: 'UPDATE' } },
      { send: 'UPDATE', cseq: 11 },
      { recv: '200' },
      ...hangsUp(12),
    ],
    acts: { 'answered 200': (call) => call.changeSession(OURS.replace('sendrecv', 'sendonly'), 'UPDATE') },
    events: ['answered 200', 'changed by LOCAL', 'changed by REMOTE', 'ended REMOTE'],
  },
  {
    what: "glare: 491, the peer's change, ours again",
    steps: [
      ...taken,
      { recv: 'INVITE' },
      { answer: '491 Request Pending' },
      { recv: 'ACK' },
      { send: 'INVITE', cseq: 10, body: sdp('sendonly', 2) },
      { recv: '200' },
      { send: 'ACK', cseq: 10 },
      { recv: 'INVITE' },
      { answer: '200 OK', lines: [ALLOW], body: sdp('recvonly', 3) },
      { recv: 'ACK' },
      ...hungUpByUs,
    ],
    acts: {
      'answered 200': (call) => call.changeSession(OURS.replace('sendrecv', 'sendonly'), 'INVITE'),
      'changed by LOCAL': (call) => call.hangUp(),
    },
    events: ['answered 200', 'changed by REMOTE', 'changed by LOCAL', 'ended LOCAL'],
  },
  {
    what: 'session timer: 422, then the peer refreshes',
    steps: [
      { recv: 'INVITE', check: { header: 'Session-Expires', holds: '120' } },
      { answer: '422 Session Interval Too Small', lines: ['Min-SE: 300'] },
      { recv: 'ACK' },
      { recv: 'INVITE', keeps: true, check: { header: 'Session-Expires', holds: '300' } },
      {
        answer: '200 OK',
        lines: [ALLOW, 'Require: timer', 'Session-Expires: 300;refresher=uas'],
        body: sdp('sendrecv'),
      },
      { recv: 'ACK' },
      { send: 'UPDATE', cseq: 10, lines: ['Supported: timer', 'Session-Expires: 300;refresher=uac'] },
      { recv: '200', check: { header: 'Session-Expires', holds: '300;refresher=uac' } },
      ...hangsUp(11),
    ],
    signalling: TIMER,
    events: ['answered 200', 'refreshed REMOTE', 'ended REMOTE'],
  },
  {
    what: 'session timer as callee: we are to refresh; REFER, and its NOTIFYs',
    incoming: true,
    steps: [
      {
        invite: 'callee',
        lines: ['Supported: timer', 'Session-Expires: 90;refresher=uas', ALLOW],
        body: sdp('sendrecv'),
      },
      { recv: '200', keeps: true, check: { header: 'Session-Expires', holds: '90;refresher=uas' } },
      { send: 'ACK', cseq: 1 },
      { send: 'REFER', cseq: 2, lines: ['Refer-To: <sip:carol@127.0.0.3>'] },
      { recv: '202' },
      { recv: 'NOTIFY', check: { header: 'body', holds: 'SIP/2.0 100 Trying' } },
      { answer: '200 OK' },
      { recv: 'NOTIFY', check: { header: 'Subscription-State', holds: 'terminated' } },
      { answer: '200 OK' },
      ...hangsUp(3),
    ],
    signalling: TIMER,
    acts: { referred: (call) => call.notifyRefer(200, 'OK') },
    events: ['answered 200', 'referred', 'ended REMOTE'],
  },
  {
    what: 'REFER, 202, NOTIFYs',
    steps: [
      ...taken,
      { recv: 'REFER', check: { header: 'Refer-To', holds: 'sip:carol@127.0.0.3' } },
      { answer: '202 Accepted' },
      sipfrag(10, 'active;expires=60', 'SIP/2.0 100 Trying'),
      { recv: '200' },
      sipfrag(11, 'terminated;reason=noresource', 'SIP/2.0 200 OK'),
      { recv: '200' },
      ...hungUpByUs,
    ],
    acts: {
      'answered 200': (call) => call.refer('sip:carol@127.0.0.3'),
      'refer 200 OK final': (call) => call.hangUp(),
    },
    events: ['answered 200', 'refer 202 Accepted', 'refer 100 Trying', 'refer 200 OK final', 'ended LOCAL'],
  },
  {
    what: 'REFER, and BYE of the far end before its last NOTIFY (RFC 5057, 4.1)',
    steps: [
      ...taken,
      { recv: 'REFER' },
      { answer: '202 Accepted' },
      sipfrag(10, 'active;expires=60', 'SIP/2.0 100 Trying'),
      { recv: '200' },
      ...hangsUp(11),
      sipfrag(12, 'terminated;reason=noresource', 'SIP/2.0 200 OK'),
      { recv: '200' },
    ],
    acts: { 'answered 200': (call) => call.refer('sip:carol@127.0.0.3') },
    events: ['answered 200', 'refer 202 Accepted', 'refer 100 Trying', 'ended REMOTE', 'refer 200 OK final'],
  },
  {
    what: 'INFO both ways',
    steps: [
      ...taken,
      { recv: 'INFO', check: { header: 'body', holds: 'Signal=7' } },
      { answer: '200 OK' },
      { send: 'INFO', cseq: 10, body: 'Signal=5\n', type: 'application/dtmf-relay' },
      { recv: '200' },
      ...hangsUp(11),
    ],
    acts: { 'answered 200': (call) => call.sendInfo('application/dtmf-relay', 'Signal=7\r\nDuration=160\r\n') },
    events: ['answered 200', 'info 200', 'info application/dtmf-relay', 'ended REMOTE'],
  },
];

/** Runs the acts as their events come; a repeated event is also called by its number. */
class ActingLog extends CallLog {
  call: Call | null = null;
  readonly #acts: NonNullable<Play['acts']>;
  readonly #counts = new Map<string, number>();

  constructor(acts: Play['acts'] = {}) {
    super();
    this.#acts = acts;
    this.onRefer = (_uri, atMs) => {
      this.note('referred', atMs);
      return true;
    };
  }

  protected override note(event: string, atMs: number): void {
    super.note(event.startsWith('info application') ? 'info application/dtmf-relay' : event, atMs);
    const count = (this.#counts.get(event) ?? 0) + 1;
    this.#counts.set(event, count);
    const act = this.#acts[count === 1 ? event : `${event} ${count}`];
    const { call } = this;
    // Like the engine's owner: after the event.
    if (act !== undefined && call !== null) setImmediate(() => act(call));
  }
}

const here = await side();
const { engine, errors } = here;
const folder = mkdtempSync(join(tmpdir(), 'carillon-dialog-'));
const logs = plays.map(({ acts }) => new ActingLog(acts));
const peers: (AgentSipp | null)[] = await Promise.all(
  plays.map(({ steps, incoming = false }, i) => {
    const file = join(folder, `${i}.xml`);
    writeFileSync(file, scenarioXml(steps, incoming));
    const target = incoming ? [`127.0.0.1:${engine.local.port}`] : [];
    return startSipp(['-sf', file, '-m', '1', '-timeout', '60s', ...target]);
  }),
);
const exits = Promise.all(peers.map((peer) => peer?.exit ?? null));

function begin(play: Play, i: number): void {
  const log = logs[i] as ActingLog;
  const agent = agentOf(here, play.incoming ? 'callee' : `user${i}`, {
    onIncomingCall: (call) => {
      log.call = call;
      call.answer(OURS);
      return log;
    },
    signalling: { ...PLAIN_SIGNALLING, ...play.signalling },
  });
  if (!play.incoming) log.call = agent.invite(`sip:peer@127.0.0.1:${peers[i]?.port}`, OURS, log);
}

const isMissing = peers.includes(null);
let codes: (number | null)[] = [];
if (!isMissing) {
  for (const [i, play] of plays.entries()) begin(play, i);
  let over = false;
  void exits.then((all) => {
    codes = all;
    over = true;
  });
  await turnUntil(() => over && logs.every(isOver), [here]);
}
for (const peer of peers) peer?.stop();
await exits;
engine.close();
rmSync(folder, { recursive: true, force: true });

for (const [i, { what, events }] of plays.entries()) {
  t.test(what, { skip: isMissing ? 'sipp is not installed (Debian: sip-tester)' : false }, (t) => {
    const told = (logs[i] as ActingLog).events.filter((event) => event !== 'sent' && !event.startsWith('provisional'));
    t.same(told, events);
    t.equal(codes[i], 0, 'SIPp says that all went as its scenario wants');
    t.end();
  });
}
t.test('nothing was a bug', (t) => {
  t.same(errors, []);
  t.end();
});
