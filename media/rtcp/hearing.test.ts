/** What reports prove, by far ends of all habits: no healthy one is called deaf, and each that goes deaf is found. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { columnsBytes, mapColumns } from '../rtp/columns.ts';
import { HEARING_COLUMNS, HEARINGS, type Hearing, noteHearing, UNNAMED } from './hearing.ts';
import type { ReportBlock } from './packets.ts';

const OWN = 0x1234_5678;
const VIDEO = 0x0bad_cafe;
const PEER = 0x9abc_def0;
const [OTHER, SECOND] = [0x5555_aaaa, 0x7777_0000];

type Report = {
  readonly kind: 'SR' | 'RR';
  readonly by: number;
  readonly blocks: readonly ReportBlock[];
  /** Packets of ours since the report before it. */
  readonly sent: number;
  readonly isRegular?: boolean;
  readonly sends?: boolean;
};

const block = (ssrc: number, highestSequence: number, more: Partial<ReportBlock> = {}): ReportBlock => ({
  ...{ ssrc, highestSequence: highestSequence >>> 0, fractionLost: 0, cumulativeLost: 0, jitter: 0, lsr: 0, dlsr: 0 },
  ...more,
});

function listener() {
  const c = mapColumns(HEARING_COLUMNS, 1, new ArrayBuffer(columnsBytes(HEARING_COLUMNS, 1)));
  let packetsSent = 0;
  return {
    columns: c,
    hear({ kind, by, blocks, sent, isRegular = true, sends = true }: Report): Hearing {
      packetsSent += sent;
      const own = { ssrc: OWN, packetsSent, sends, isOwn: (ssrc: number) => ssrc === VIDEO };
      const report = { kind, ssrc: by, blocks } as const;
      const all = { ntpSeconds: 0, ntpFraction: 0, rtpTimestamp: 0, packets: 0, octets: 0 };
      noteHearing(c, 0, kind === 'SR' ? { ...all, ...report, kind } : { ...report, kind }, isRegular, own);
      return HEARINGS[c.hearing[0]!]!;
    },
  };
}

const rr = (...blocks: ReportBlock[]): Report => ({ kind: 'RR', by: PEER, blocks, sent: 50 });
const sr = (...blocks: ReportBlock[]): Report => ({ ...rr(...blocks), kind: 'SR' });
const about = (ssrc: number, ...numbers: number[]): Report[] => numbers.map((n) => rr(block(ssrc, n)));
const times = (n: number, said: Report): Report[] => Array.from({ length: n }, () => said);
const DEAF_CLAIM = rr(block(OWN, 0, { cumulativeLost: 50, fractionLost: 255 }));

t.test('each habit of a far end', async (t) => {
  const rows: [what: string, says: readonly Report[], proves: Hearing, unnamed?: (typeof UNNAMED)[number]][] = [
    ['no report', [], 'UNKNOWN'],
    ['no blocks', times(9, sr()), 'UNKNOWN', 'NO_BLOCKS'],
    ['another SSRC, once', about(OTHER, 900), 'UNKNOWN', 'OTHER_SSRC'],
    ['another SSRC, and its number does not advance', about(OTHER, 900, 900, 900, 900), 'UNKNOWN', 'OTHER_SSRC'],
    ['another SSRC, and its number advances', about(OTHER, 900, 950), 'HEARD'],
    ['SSRC 0, and its number advances', about(0, 900, 950, 1000), 'HEARD'],
    ['zeros', times(9, rr(block(OWN, 0))), 'UNKNOWN', 'ZEROS'],
    ['zeros, with LSR and DLSR', times(9, rr(block(OWN, 0, { lsr: 77, dlsr: 88 }))), 'UNKNOWN', 'ZEROS'],
    ['our number, once', about(OWN, 900), 'HEARD'],
    ['our number goes on', about(OWN, 900, 950, 1000), 'HEARD'],
    ['over the wrap of 32 bits', about(OWN, 0xffff_ffe0, 0x10), 'HEARD'],
    ['without counting cycles', about(OWN, 65_500, 14, 64), 'HEARD'],
    ['our number does not advance', about(OWN, 900, 900, 900), 'UNHEARD'],
    ['it did not advance, and goes on', about(OWN, 900, 900, 900, 950), 'HEARD'],
    ['we are named no more', [...about(OWN, 900), rr(), rr()], 'UNHEARD'],
    ['zeros from then on', [...about(OWN, 900), ...times(2, rr(block(OWN, 0)))], 'UNHEARD'],
    ['once is not enough', [...about(OWN, 900), rr()], 'HEARD'],
    ['nor are two with next to nothing between them', [...about(OWN, 900), ...times(2, { ...rr(), sent: 5 })], 'HEARD'],
    ['loss claimed with the number 0', times(2, DEAF_CLAIM), 'UNHEARD'],
    ['claimed once', [DEAF_CLAIM], 'UNKNOWN'],
    ['SR and RR apart', [...about(OWN, 900), sr(), ...about(OWN, 950), sr(), sr()], 'HEARD'],
    ['an SSRC instead of ours, which advances', [...about(OWN, 900), ...about(OTHER, 950, 999, 1050)], 'HEARD'],
    ['our other stream advances', about(VIDEO, 10, 20, 30), 'UNKNOWN', 'OTHER_SSRC'],
    ['ours does not advance while our other stream advances', both([900, 900, 900], [10, 20, 30]), 'UNHEARD'],
    [
      'it names a third party beside us, which goes on',
      [1, 50, 100, 150].map((n) => rr(block(OWN, 900), block(OTHER, n))),
      'UNHEARD',
    ],
    [
      'we are named no more, and the third party goes on',
      [rr(block(OWN, 900), block(OTHER, 1)), ...about(OTHER, 50, 100, 150)],
      'UNHEARD',
    ],
    ['ours goes on beside it', [900, 950, 1000].map((n) => rr(block(OWN, n), block(OTHER, n))), 'HEARD'],
    [
      'named by another SSRC from the middle on, and by ours still',
      [...about(OWN, 950), ...[10, 60, 110].map((n) => rr(block(OWN, 950), block(OTHER, n)))],
      'HEARD',
    ],
    [
      'all of ours claimed lost, while another goes on',
      [1, 50, 100, 150].map((n, i) =>
        rr(block(OWN, 0, { cumulativeLost: 50 * i, fractionLost: 255 }), block(OTHER, n)),
      ),
      'UNHEARD',
    ],
    [
      'a packet lost, and no number',
      times(4, rr(block(OWN, 0, { cumulativeLost: 1, jitter: 12 }))),
      'UNKNOWN',
      'ZEROS',
    ],
    ['our own report', times(3, { ...rr(block(OWN, 900)), by: OWN }), 'UNKNOWN'],
    ['empty before feedback', [...about(OWN, 900), ...times(4, { ...rr(), isRegular: false })], 'HEARD'],
    [
      'before feedback, the same number',
      [...about(OWN, 900), ...times(2, { ...rr(block(OWN, 900)), isRegular: false })],
      'UNHEARD',
    ],
    ['named in the report with BYE', [{ ...rr(block(OWN, 900)), isRegular: false }], 'HEARD'],
    ['somebody else names nobody', [...about(OWN, 900), ...times(4, { ...sr(), by: SECOND })], 'HEARD'],
    ['held: we send nothing', [...about(OWN, 900), ...times(4, { ...rr(), sends: false, sent: 0 })], 'HEARD'],
    ['held, and then not heard', [...about(OWN, 900), { ...rr(), sends: false }, rr(), rr()], 'UNHEARD'],
  ];
  for (const [what, says, proves, unnamed] of rows) {
    const { hear, columns } = listener();
    t.equal(
      says.reduce<Hearing>((_, report) => hear(report), 'UNKNOWN'),
      proves,
      what,
    );
    if (unnamed) t.equal(UNNAMED[columns.unnamedAs[0]!], unnamed, `${what}: as ${unnamed}`);
    if (proves === 'UNKNOWN') t.equal(columns.unnamedReports[0]! > 0, unnamed !== undefined, `${what}: counted`);
  }
});

function both(audio: readonly number[], video: readonly number[]): Report[] {
  return audio.map((n, i) => rr(block(OWN, n), block(VIDEO, video[i]!)));
}

/** How a far end reports. */
const habit = fc.record({
  names: fc.constantFrom(OWN, OTHER, 0, null, 'ZEROS' as const),
  /** Reports of each kind in turn; blocks are in `RR` where they come apart. */
  turn: fc.constantFrom<readonly string[]>(
    ['SR+'],
    ['RR+'],
    ['SR', 'RR+'],
    ['RR+', 'SR'],
    ['SR', 'SR', 'RR+'],
    ['RR+', 'SR', 'SR'],
  ),
  beside: fc.constantFrom([], [block(VIDEO, 7)], [block(SECOND, 9)]),
  isWhole: fc.boolean(),
  first: fc.integer({ min: 1, max: 0xffff }),
});
type Habit = {
  names: number | null | 'ZEROS';
  turn: readonly string[];
  beside: readonly ReportBlock[];
  isWhole: boolean;
  first: number;
};
const step = fc.record({
  sent: fc.integer({ min: 0, max: 400 }),
  event: fc.constantFrom('', '', '', '', '', 'LOST', 'TWICE', 'FEEDBACK', 'HOLD', 'STRANGER', 'ECHO'),
  lsr: fc.constantFrom(0, 1, 0xffff_ffff),
  dlsr: fc.constantFrom(0, 1, 65_536),
});
type Step = { sent: number; event: string; lsr: number; dlsr: number };

/** Reports of a far end to which `heard` of our packets of each step come. */
function reportsOf(
  { names, turn, beside, isWhole, first }: Habit,
  steps: readonly Step[],
  heard: (at: number) => boolean,
) {
  const says: Report[] = [];
  let number = first;
  for (const [at, { sent, event, ...stamps }] of steps.entries()) {
    const isHold = event === 'HOLD';
    if (heard(at) && !isHold) number += sent;
    const told = turn[at % turn.length]!;
    const highest = isWhole ? number : number % 0x1_0000;
    const ours =
      names === 'ZEROS' ? [block(OWN, 0, stamps)] : names === null ? [] : [block(names, highest || 1, stamps)];
    const kind = told.startsWith('SR') ? 'SR' : 'RR';
    const said: Report = {
      kind,
      by: PEER,
      blocks: told.endsWith('+') ? [...beside, ...ours] : [],
      sent: isHold ? 0 : sent,
    };
    if (event === 'FEEDBACK') says.push({ ...said, blocks: [], isRegular: false });
    else if (event === 'STRANGER') says.push({ ...said, by: SECOND, blocks: [] }, { ...said, sent: 0 });
    else if (event === 'ECHO') says.push({ ...said, by: OWN, blocks: [] });
    else if (event === 'LOST') says.push({ ...said, by: OWN, blocks: [] });
    else says.push({ ...said, sends: !isHold }, ...(event === 'TWICE' ? [{ ...said, sent: 0 }] : []));
  }
  return says;
}

t.test('1,000 healthy calls: none is called deaf, and what advances is heard', async () => {
  fc.assert(
    fc.property(habit, fc.array(step, { maxLength: 25 }), (far, steps) => {
      const { hear } = listener();
      const says = reportsOf(far, steps, () => true);
      let last: Hearing = 'UNKNOWN';
      for (const said of says) {
        last = hear(said);
        if (last === 'UNHEARD') return false;
      }
      if (far.names === null || far.names === 'ZEROS') return last === 'UNKNOWN';
      const named = says.filter(({ by, blocks }) => by === PEER && blocks.some(({ ssrc }) => ssrc === far.names));
      const numbers = named.map(({ blocks }) => blocks.at(-1)!.highestSequence);
      const advanced = numbers.some((n, i) => i > 0 && n > numbers[i - 1]!);
      return last === (advanced || (far.names === OWN && named.length > 0) ? 'HEARD' : 'UNKNOWN');
    }),
    { numRuns: 1000 },
  );
});

t.test('1,000 calls that go deaf after a report that named us: each is found', async () => {
  fc.assert(
    fc.property(
      habit,
      fc.array(step, { maxLength: 10 }),
      fc.constantFrom('STILL', 'GONE', 'ZEROS'),
      (far, steps, deafAs) => {
        const { hear } = listener();
        const habits: Habit = { ...far, names: OWN, beside: [] };
        const first: Step = { sent: 50, event: '', lsr: 0, dlsr: 0 };
        const healthy = [...habits.turn.map(() => first), ...steps];
        const deaf = Array.from({ length: 12 * habits.turn.length }, () => first);
        const says = reportsOf(habits, [...healthy, ...deaf], (at) => at < healthy.length);
        const from = says.length - deaf.length;
        const said = says.map((one, i): Report => {
          if (i < from || deafAs === 'STILL') return one;
          const blocks = deafAs === 'GONE' ? [] : one.blocks.map(({ ssrc }) => block(ssrc, 0));
          return { ...one, blocks };
        });
        return said.reduce<Hearing>((_, one) => hear(one), 'UNKNOWN') === 'UNHEARD';
      },
    ),
    { numRuns: 1000 },
  );
});
