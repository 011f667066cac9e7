/**
 * Reports of a run that keeps detail of all calls, and of one that keeps detail of some, from the same calls in the same order:
 * each call's phases, outcome, streams and sums of samples in both; messages, events, samples and details of all calls, or of
 * the kept ones, each once.
 */
import { zstdDecompressSync } from 'node:zlib';
import { isInSample } from '@carillon/proto/call-sample.ts';
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { EndpointTraffic } from '../../capture/endpoint-traffic.ts';
import { maskedBlock } from '../../capture/mask-block.ts';
import { WithheldMessages } from '../../capture/withheld-messages.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import { noSamples, type StreamSamples } from '../../rtp/figures/stream-samples.ts';
import type { Traffic } from '../../sip/engine.ts';
import { plan } from '../../testing/run/share-world.ts';
import type { Phase } from '../phases.ts';
import type { SharePlan } from '../plan.ts';
import { encodeAllocation } from './encode-facts.ts';
import { encodedMessages } from './encode-messages.ts';
import type { OutcomeFact, ShareFacts } from './facts.ts';
import { FactsBuffer } from './facts-buffer.ts';
import { isReported } from './keeping.ts';
import { Pending } from './pending.ts';
import { WithheldDetail } from './withheld-detail.ts';

const CALL: readonly Phase[] = ['CALLING', 'RINGING', 'INCALL', 'DISCONNECTING'];
const KEEPING = { oneIn: 5, seed: 9, ofCluster: 2 };

type Call = { readonly number: number; readonly cause: 'CALL_TIMEOUT' | 'BUSY' | null; readonly peer: number | null };
/** A step of a call: a phase and a message of it, then its end; or everything collected is sent. */
type Step = Call | 'flush' | 'take';

const outcomeOf = ({ number, cause, peer }: Call) =>
  ({
    ...{ endpoint: number, outcome: cause === null ? 'SUCCESS' : 'CALL_FAILED', cause, peer, findings: [] },
    ...{ causeText: '', finalReason: '', calleeUri: '', callerUri: '', callId: '', refreshes: null, explanation: null },
  }) as unknown as OutcomeFact;

const message = (number: number, step: number): Traffic =>
  ({
    ...{ direction: 'SENT', method: 'INVITE', status: 0, reason: '', retransmission: false, transport: 'UDP' },
    ...{ peerAddress: '192.0.2.1', peerPort: 5060, localPort: 5062, callId: `call ${number}`, atMs: step },
    text: `${number} ${step}`,
  }) as unknown as Traffic;

const sample = (number: number, mos: number): StreamSamples => {
  const row = noSamples();
  for (const name of Object.keys(row) as (keyof StreamSamples)[]) row[name].push(0);
  row.endpointNumber[0] = number;
  row.mos[0] = mos;
  return row;
};

/** Of no call: its stream ends later. */
const LATE = 1001;

/** What the control plane receives, by call. */
function reported(plan: SharePlan, steps: readonly Step[]) {
  const buffer = new FactsBuffer(1, '127.0.0.1', (n) => isReported(plan, n));
  const withheld = plan.keeping && new WithheldDetail(plan);
  const traffic = new Map<number, EndpointTraffic>();
  const at = new Map<number, number>();
  let pending = new Pending('a', withheld);
  let open: Call[] = [];
  const heard = {
    ...{ phases: [] as string[], events: [] as string[], outcomes: [] as string[], messages: [] as string[] },
    ...{ sums: [] as string[], samples: [] as string[], streams: [] as string[], details: [] as string[] },
  };
  const kept = new Set<number>();
  const flush = (): void => {
    buffer.gather(Number.POSITIVE_INFINITY, true);
    const facts: ShareFacts | null = buffer.take(0);
    if (facts) pending.add(facts);
    for (const call of open) pending.close({ owner: 1, outcome: outcomeOf(call), closedAtMs: 100 });
    open = [];
  };
  const take = (): void => {
    flush();
    pending.complete({ messages: true, bodies: true });
    const details = pending.records.splice(0).map((r) => `${r.endpointNumber}`);
    heard.details.push(...details);
    heard.streams.push(...details, ...pending.figures.splice(0).map((r) => `${r.endpointNumber}`));
    const facts = encodeAllocation(pending, 0, 0, true);
    const rows = (p: typeof facts.phases) => (p?.endpoint ?? []).map((n, i) => `${n} ${p?.phase?.[i]} ${p?.atMs?.[i]}`);
    heard.phases.push(...rows(facts.phases), ...rows(facts.progress));
    heard.events.push(...rows(facts.phases));
    const intervals = (s: typeof facts.samples) => (s?.endpoint ?? []).map((n, i) => `${n} ${s?.mos?.[i]}`);
    heard.sums.push(...intervals(facts.samples), ...intervals(facts.summedSamples));
    heard.samples.push(...intervals(facts.samples), ...intervals(facts.storedSamples));
    for (const o of facts.outcomes ?? []) {
      heard.outcomes.push(JSON.stringify({ ...o, kept: null }));
      if (o.kept !== false) kept.add(o.endpoint as number);
    }
    for (const block of facts.messageBlocks ?? []) {
      const text = zstdDecompressSync(block.text as Uint8Array).toString('latin1');
      let from = 0;
      for (const [i, length] of (block.length ?? []).entries()) {
        const words = block.words ?? [];
        heard.messages.push(
          `${text.slice(from, from + length)}: ${words[block.callId?.[i] ?? -1]} ${block.number?.[i]}`,
        );
        from += length;
      }
    }
    pending = new Pending('a', withheld);
  };
  for (const step of steps) {
    if (step === 'flush') flush();
    else if (step === 'take') take();
    else {
      const { number } = step;
      const place = at.get(number) ?? 0;
      at.set(number, place + 1);
      const own = traffic.get(number) ?? new EndpointTraffic(number, buffer.counts, buffer.storeOf(number), plan);
      traffic.set(number, own);
      own.onMessage(message(number, place));
      if (place < CALL.length) buffer.phase(number, CALL[place] as Phase, place);
      else if (place === CALL.length) {
        pending.addRecord({ endpointNumber: number } as StreamRecord);
        open.push(step);
      }
      if (place < CALL.length) pending.addSamples(sample(number, place));
    }
  }
  pending.addRecord({ endpointNumber: LATE } as StreamRecord);
  pending.state = 'DONE';
  take();
  return { heard, kept };
}

const CALLS = 40;
const calls = fc.array(
  fc.record({
    cause: fc.constantFrom(null, null, 'CALL_TIMEOUT' as const, 'BUSY' as const),
    peer: fc.option(fc.nat(CALLS)),
  }),
  { minLength: 1, maxLength: CALLS },
);
/** A call has an end, and one later message. */
const steps = calls.chain((all) => {
  const numbered = all.map((call, number) => ({ ...call, number }));
  const many = numbered.flatMap((call) => Array.from({ length: CALL.length + 2 }, (): Step => call));
  return fc.tuple(
    fc.shuffledSubarray(many, { minLength: many.length }),
    fc.array(fc.tuple(fc.nat(many.length), fc.constantFrom<Step>('flush', 'take')), { maxLength: 20 }),
    fc.constant(numbered),
  );
});

const sorted = (all: readonly string[]): string[] => [...all].sort();
/** Of these calls; each text starts with the number of its call. */
const of = (numbers: ReadonlySet<number>, all: readonly string[]) =>
  sorted(all.filter((one) => numbers.has(Number.parseInt(one, 10))));

t.test('figures are of all calls, detail is of those that are kept', async (t) => {
  fc.assert(
    fc.property(steps, fc.constantFrom('CALLER' as const, 'CALLEE' as const), ([some, more, numbered], role) => {
      const order = [...some].map((call) =>
        typeof call === 'string' || role === 'CALLEE' ? call : { ...call, peer: null },
      );
      for (const [place, step] of more) order.splice(place, 0, step);
      const group = { ...plan().group, correlate: true };
      const all = reported(plan({ role, group }), order);
      const part = reported(plan({ role, group, keeping: KEEPING }), order);
      t.same(sorted([...new Set(part.heard.phases)]), sorted(all.heard.phases), 'phases');
      t.same(sorted(part.heard.outcomes), sorted(all.heard.outcomes), 'outcomes');
      t.same(sorted(part.heard.events), of(part.kept, all.heard.events), 'events, each once');
      t.same(sorted(part.heard.messages), of(part.kept, all.heard.messages), 'messages, each once');
      t.same(sorted(part.heard.sums), sorted(all.heard.sums), 'sums of samples');
      t.same(sorted(part.heard.samples), of(part.kept, all.heard.samples), 'samples, each once');
      t.same(sorted(part.heard.streams), sorted(all.heard.streams), 'streams');
      t.same(sorted(part.heard.details), of(part.kept, all.heard.details), 'details of streams');
      const sample = numbered.filter((c) => isInSample(KEEPING, role === 'CALLEE' ? (c.peer ?? c.number) : c.number));
      for (const { number } of sample) t.ok(part.kept.has(number), 'the sample');
      for (const cause of ['CALL_TIMEOUT', 'BUSY', null] as const) {
        const others = numbered.filter((c) => c.cause === cause && !sample.includes(c));
        const kept = others.filter(({ number }) => part.kept.has(number)).length;
        t.equal(kept, cause === null ? 0 : Math.min(KEEPING.ofCluster, others.length), `of ${cause}`);
      }
    }),
    { numRuns: 100 },
  );
});

t.test('what waits is bounded, and a call that is long up is whole', async (t) => {
  const buffer = new FactsBuffer(1, '127.0.0.1', () => false);
  const messages = new WithheldMessages();
  const traffic = (n: number) => new EndpointTraffic(n, buffer.counts, buffer.storeOf(n), plan());
  const long = traffic(0);
  long.onMessage(message(0, 0));
  let most = 0;
  for (let n = 1; n < 20_000; n++) {
    const own = traffic(n);
    for (let step = 0; step < 6; step++) own.onMessage({ ...message(n, step), text: 'x'.repeat(500) });
    messages.drop(n);
    buffer.gather(n, false);
    messages.add(buffer.take(0)?.withheldMessages ?? []);
    most = Math.max(most, messages.bytes);
  }
  t.ok(most < 5 * 2 ** 20, `${most} bytes of calls that are over`);
  long.onMessage(message(0, 1));
  buffer.gather(0, true);
  messages.add(buffer.take(0)?.withheldMessages ?? []);
  messages.keep(0, 20_000);
  const kept = messages.take();
  t.equal(kept.map(({ text }) => Buffer.from(text).toString()).join(), '0 00 1');
  for (let n = 30_000; n < 60_000; n++) {
    for (let step = 0; step < 6; step++) traffic(n).onMessage({ ...message(n, step), text: 'x'.repeat(500) });
    buffer.gather(n, false);
    messages.add(buffer.take(0)?.withheldMessages ?? []);
    most = Math.max(most, messages.bytes);
  }
  t.ok(most < 65 * 2 ** 20, `${most} bytes of calls that are up`);
});

t.test('a call that is kept is whole, once, among calls that end at other times', async (t) => {
  const buffer = new FactsBuffer(1, '127.0.0.1', () => false);
  const messages = new WithheldMessages();
  const upAtOnce = 3000;
  const calls = new Map<number, EndpointTraffic>();
  const kept: string[] = [];
  let most = 0;
  for (let n = 0; n < 30_000; n++) {
    calls.set(n, new EndpointTraffic(n, buffer.counts, buffer.storeOf(n), plan()));
    const say = (call: number, step: number) =>
      calls.get(call)?.onMessage({ ...message(call, step), text: `${call} ${step};`.padEnd(400) });
    for (let step = 0; step < 4; step++) say(n, step);
    const over = n - upAtOnce;
    for (let step = 4; step < 6; step++) say(over, step);
    buffer.gather(n, false);
    messages.add(buffer.take(0)?.withheldMessages ?? []);
    most = Math.max(most, messages.bytes);
    // Every tenth lasts until the end.
    if (over < 0 || over % 10 === 0) continue;
    if (over % 1000 === 1) messages.keep(over, n);
    else messages.drop(over);
    calls.delete(over);
    kept.push(...messages.take().map(({ text }) => Buffer.from(text).toString()));
  }
  for (const n of calls.keys()) messages.keep(n, 30_000);
  buffer.gather(0, true);
  messages.add(buffer.take(0)?.withheldMessages ?? []);
  kept.push(...messages.take().map(({ text }) => Buffer.from(text).toString()));
  const texts = kept.join('').split(/; */).slice(0, -1);
  const expected = Array.from({ length: 30_000 }, (_, n) => n)
    .filter((n) => n % 10 === 0 || n % 1000 === 1 || n >= 30_000 - upAtOnce)
    .flatMap((n) => Array.from({ length: n < 30_000 - upAtOnce ? 6 : 4 }, (_, step) => `${n} ${step}`));
  t.same(sorted(texts), sorted(expected));
  t.ok(most < 32 * 2 ** 20, `${most} bytes`);
});

t.test('what is kept of withheld messages leaves masked, in every form', async (t) => {
  const secret = '5ec2e7';
  const buffer = new FactsBuffer(1, '127.0.0.1', () => false);
  const messages = new WithheldMessages();
  for (const n of [1, 2, 3]) {
    const own = new EndpointTraffic(n, buffer.counts, buffer.storeOf(n), plan());
    own.onMessage({ ...message(n, 0), text: `INVITE ${n}\r\nAuthorization: Digest response="${secret}"\r\n\r\n` });
    own.onMessage(message(n, 1));
  }
  buffer.gather(0, true);
  messages.add(buffer.take(0)?.withheldMessages ?? []);
  messages.keep(2, 0);
  const taken = messages.take();
  const masked = 'INVITE 2\r\nAuthorization: Digest response="******"\r\n\r\n2 1';
  const { messageBlocks = [] } = encodedMessages(taken, 0, true);
  const { messages: chunks = [] } = encodedMessages(taken, 0, false);
  for (const encoded of [messageBlocks, chunks])
    t.same(
      encoded.map(({ text }) => zstdDecompressSync(text as Uint8Array).toString()),
      [masked],
    );
  t.equal(
    taken
      .map(maskedBlock)
      .map(({ text }) => Buffer.from(text).toString())
      .join(),
    masked,
  );
});
