/** The wire format: valid frames come back unchanged, garbage is refused, and frames of this version stay readable. */
import { readFileSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { uuidBytes, uuidText } from '../base/uuid.ts';
import {
  CAUSES,
  causeOfInviteResponse,
  causeOfRegisterResponse,
  decodeAgentFrame,
  decodeControlFrame,
  decodeFacts,
  encodeAgentFrame,
  encodeControlFrame,
  encodeFacts,
  FrameError,
  MAX_FRAME_BYTES,
  wire as v1,
  type wire,
} from '../index.ts';
import { GOLDEN_AGENT_FRAMES, GOLDEN_CONTROL_FRAMES } from '../testing/golden.ts';
import { goldenMessages, wanted } from '../testing/golden-messages.ts';
import { MAX_FACTS_BYTES } from './frame.ts';

const golden = JSON.parse(readFileSync(new URL('../testing/golden.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** Bytes as text, defaults omitted: the contents of a frame, independent of its class. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, v) => {
      if (v?.type === 'Buffer') return Buffer.from(v.data).toString('hex');
      if (v instanceof Uint8Array) return Buffer.from(v).toString('hex');
      return v === 0 || v === false || v === '' || (Array.isArray(v) && v.length === 0) ? undefined : v;
    }),
  );

t.test('golden frames: what this version writes is what earlier agents read', async (t) => {
  for (const [name, frame] of Object.entries(GOLDEN_AGENT_FRAMES)) {
    t.equal(Buffer.from(encodeAgentFrame(frame)).toString('hex'), golden[name], `${name} is written as before`);
    t.same(plain(decodeAgentFrame(Buffer.from(golden[name] ?? '', 'hex'))), plain(frame), `${name} is read as before`);
  }
  for (const [name, frame] of Object.entries(GOLDEN_CONTROL_FRAMES)) {
    t.equal(Buffer.from(encodeControlFrame(frame)).toString('hex'), golden[name], `${name} is written as before`);
    t.same(
      plain(decodeControlFrame(Buffer.from(golden[name] ?? '', 'hex'))),
      plain(frame),
      `${name} is read as before`,
    );
  }
  t.equal(
    Object.keys(golden).length,
    Object.keys(GOLDEN_AGENT_FRAMES).length + Object.keys(GOLDEN_CONTROL_FRAMES).length,
  );
});

t.test('there is a golden frame of each kind', (t) => {
  const kinds = [
    ...Object.values(GOLDEN_AGENT_FRAMES).flatMap((frame) => Object.keys(frame).map((kind) => `AgentFrame.${kind}`)),
    ...Object.values(GOLDEN_CONTROL_FRAMES).flatMap((frame) =>
      Object.keys(frame).map((kind) => `ControlFrame.${kind}`),
    ),
    ...Object.values(GOLDEN_CONTROL_FRAMES).flatMap(({ command }) =>
      Object.keys(command ?? {}).flatMap((key) => (key === 'id' ? [] : [`Command.${key}`])),
    ),
  ];
  const wire = [...wanted().keys()].filter((name) => /^(Agent|Control)Frame\.|^Command\./.test(name));
  t.same([...new Set(kinds)].sort(), wire.sort());
  t.end();
});

type Coder = { decode(bytes: Uint8Array): object; encode(message: object): { finish(): Uint8Array } };
const coders = v1.agent.v1 as unknown as Record<string, Coder>;

t.test('every message, with every field, as it was written before: read to the last field', async (t) => {
  const kept = goldenMessages();
  for (const name of wanted().keys())
    t.ok(kept[name], `golden-messages.json has ${name}; node proto/testing/golden-messages.ts adds it`);
  for (const [name, { hex, says }] of Object.entries(kept)) {
    const coder = coders[name.split('.')[0] as string];
    t.same(plain(coder?.decode(Buffer.from(hex, 'hex'))), plain(says), name);
  }
});

t.test('what is of a later version is passed over, and what is known beside it is read', async (t) => {
  // Field 900 as a varint, as 64 bits, as bytes, as 32 bits; then an enum with an unknown value.
  const future = Buffer.from('a038ff01a1380102030405060708a2380568656c6c6fa53801020304', 'hex');
  for (const [name, { hex, says }] of Object.entries(goldenMessages())) {
    const coder = coders[name.split('.')[0] as string];
    const bytes = Buffer.from(hex, 'hex');
    t.same(plain(coder?.decode(Buffer.concat([bytes, future]))), plain(says), `${name}, fields after`);
    t.same(plain(coder?.decode(Buffer.concat([future, bytes]))), plain(says), `${name}, fields before`);
  }
  const newer = { allocations: [{ allocationId: new Uint8Array(16), state: 77 as never, reason: 'x' }] };
  t.equal(decodeFacts(encodeFacts(1, newer)).allocations[0]?.reason, 'x', 'an enum of a value that nobody has yet');
  t.same(plain(decodeAgentFrame(future)), {}, 'a body that we do not know');
  t.same(plain(decodeControlFrame(future)), {});
});

t.test('numbers of 64 bits are plain numbers, also where they are left out', async (t) => {
  const frame = decodeAgentFrame(encodeAgentFrame({ commandReceipt: { id: 2 ** 40 } }));
  t.equal(frame.commandReceipt?.id, 2 ** 40);
  const empty = decodeAgentFrame(encodeAgentFrame({ commandReceipt: {} }));
  t.equal((empty.commandReceipt as wire.agent.v1.CommandReceipt).id, 0);
});

t.test('an identifier has 16 bytes, and is the same after encoding and decoding', (t) => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      t.equal(uuidBytes(id).length, 16);
      t.equal(uuidText(uuidBytes(id)), id);
    }),
  );
  t.end();
});

t.test('facts round trip, compressed where it pays', async (t) => {
  const small = encodeFacts(1, { allocations: [{ reason: 'x' }] });
  t.equal(small.zstd, false);
  const numbers = Array.from({ length: 1000 }, (_, i) => i);
  const large = encodeFacts(2, { allocations: [{ samples: { endpoint: numbers, mos: numbers.map(() => 4.25) } }] });
  t.equal(large.zstd, true);
  t.ok((large.facts?.length ?? 0) < 4000);
  const back = decodeFacts(large).allocations[0]?.samples;
  t.same(back?.endpoint, numbers);
  t.ok(back?.mos?.every((m) => m === 4.25));
  const nan = decodeFacts(encodeFacts(3, { allocations: [{ samples: { rttMs: [Number.NaN, 1.5] } }] }));
  t.same(nan.allocations[0]?.samples?.rttMs, [Number.NaN, 1.5], 'not measured stays not measured');
});

t.test('garbage is a FrameError and nothing else', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      for (const read of [
        decodeAgentFrame,
        decodeControlFrame,
        (b: Uint8Array) => decodeFacts({ facts: b }),
        (b: Uint8Array) => decodeFacts({ facts: b, zstd: true }),
      ]) {
        try {
          read(bytes);
        } catch (error) {
          if (!(error instanceof FrameError)) return false;
        }
      }
      return true;
    }),
    { numRuns: 2000 },
  );
  t.throws(() => decodeAgentFrame(new Uint8Array()), FrameError, 'an empty frame');
  t.throws(() => decodeAgentFrame(new Uint8Array(MAX_FRAME_BYTES + 1)), { message: /over the limit/ });
  const bomb = zstdCompressSync(Buffer.alloc(MAX_FACTS_BYTES + 1));
  t.throws(() => decodeFacts({ facts: bomb, zstd: true }), FrameError, 'a compression bomb');
});

t.test('each status has a cause and a result', async (t) => {
  for (let status = 300; status < 700; status++) {
    t.equal(CAUSES[causeOfInviteResponse(status)].result, status === 408 ? 'TIMEOUT' : 'REJECTED', `${status}`);
    t.ok(CAUSES[causeOfRegisterResponse(status)].outcome === 'REGISTRATION_FAILED');
  }
  t.equal(causeOfInviteResponse(408), 'CALL_TIMEOUT');
  t.equal(causeOfInviteResponse(408, true), 'NO_ANSWER', 'it had rung');
  t.equal(causeOfInviteResponse(486), 'BUSY');
  t.equal(causeOfInviteResponse(488), 'MEDIA_NOT_ACCEPTED');
  t.equal(causeOfInviteResponse(503), 'SERVER_ERROR');
  t.equal(causeOfInviteResponse(302), 'REDIRECTED');
  t.equal(causeOfInviteResponse(699), 'REQUEST_REJECTED');
});
