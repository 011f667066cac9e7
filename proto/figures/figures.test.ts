/** The tables of figures are complete: each has its wire field, a unique key, limits in order. */
import t from 'tap';
import { wire } from '../index.ts';
import { CALL_FIGURES, columnOf, FIGURE_NAMES, FIGURES, readFigures, SPREADS } from './call-figures.ts';
import { SAMPLE_FIGURE_NAMES, SAMPLE_FIGURES, sampleColumnOf, sampleColumns } from './sample-figures.ts';
import { DETAIL_GROUPS, STREAM_DETAIL_NAMES } from './stream-details.ts';
import { readStreamFigures, STREAM_FIGURE_ROWS, STREAM_FIGURES, streamColumnOf } from './stream-figures.ts';

const { Outcome, StreamTotals, StreamDetails, Samples } = wire.agent.v1;
const distinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** The result for a message in which every one of these fields has the value `value`. */
function echo(type: { encode: unknown; decode: unknown }, names: readonly string[], value: number) {
  const { encode, decode } = type as {
    encode(message: object): { finish(): Uint8Array };
    decode(bytes: Uint8Array): Record<string, unknown>;
  };
  return decode(encode(Object.fromEntries(names.map((name) => [name, value]))).finish());
}

t.test('every figure crosses the wire under its name', async (t) => {
  for (const [type, names] of [
    [Outcome, FIGURE_NAMES],
    [StreamTotals, STREAM_FIGURE_ROWS.map(([name]) => name)],
    [StreamDetails, STREAM_DETAIL_NAMES],
  ] as const) {
    const back = echo(type, names, 3);
    t.same(
      names.filter((name) => back[name] !== 3),
      [],
    );
  }
  const column = sampleColumns(() => [3]);
  const samples = Samples.decode(Samples.encode(column).finish());
  t.same(
    SAMPLE_FIGURE_NAMES.filter((name) => Array.from(samples[name] as number[])[0] !== 3),
    [],
  );
  const { Bursts, DelayVariation, Playout, RemoteVoipMetrics, Sound, Absence, Security, Video, Injected, Ice } =
    wire.agent.v1;
  const messages = {
    ...{ bursts: Bursts, delayVariation: DelayVariation, playout: Playout, remoteXr: RemoteVoipMetrics, sound: Sound },
    ...{ absence: Absence, security: Security, video: Video, injected: Injected, ice: Ice },
  };
  for (const [group, fields] of Object.entries(DETAIL_GROUPS)) {
    const names = Object.keys(fields);
    const back = echo(messages[group as keyof typeof messages], names, 3);
    t.same(
      names.filter((name) => back[name] !== 3),
      [],
      group,
    );
  }
});

t.test('names of columns, units and types agree', async (t) => {
  t.equal(columnOf('timeToRingingMs'), 'time_to_ringing_ms');
  t.equal(streamColumnOf('rFactor'), 'r_factor');
  t.equal(sampleColumnOf('jitterMaxMs'), 'jitter_max_ms');
  for (const [name, type] of Object.entries(SAMPLE_FIGURES)) t.ok(type === 'real' || !name.endsWith('Ms'), name);
  t.ok(distinct(SPREADS.map(({ key }) => key)));
  t.ok(distinct(STREAM_FIGURE_ROWS.map(([, { place, json }]) => `${place}.${json}`)));
  for (const [name, { unit }] of FIGURES) t.equal(name.endsWith('Ms'), unit === 'ms', name);
  for (const { key, limits } of SPREADS) t.ok(limits === null || limits.green < limits.orange, key);
});

t.test('what is not given was not measured', async (t) => {
  const call = readFigures(() => undefined);
  t.same(Object.keys(call), Object.keys(CALL_FIGURES));
  t.ok(Number.isNaN(call.pddMs));
  t.equal(call.failovers, 0);
  const stream = readStreamFigures(() => undefined);
  t.same(Object.keys(stream), Object.keys(STREAM_FIGURES));
  t.ok(Number.isNaN(stream.mos));
  t.equal(stream.packetsSent, 0);
});
