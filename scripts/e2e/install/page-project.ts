/** The YAML blocks of the pages as one project that a test can run: same settings, other addresses, seconds instead of minutes. */
import { parse } from 'yaml';
import { allBlocks, type PageBlock } from '../../site/blocks.ts';

type Fields = Readonly<Record<string, unknown>>;
export type PageTest = { readonly block: PageBlock; readonly slug: string };

/** What the pages make long or large, and how much of it a test runs. */
const AT_MOST: Readonly<Record<string, number>> = {
  durationSeconds: 2,
  buildup: 1,
  seconds: 2,
  calls: 3,
  callsPerSecond: 2,
  endpoints: 16,
};

/** @param far `address:port` of what stands for the reader's own system */
const small = (value: unknown, far: string, key = '', above = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => small(one, far));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, small(one, far, name, key)]));
  if (typeof value === 'string') return value.replace(/192\.0\.2\.\d+(:5060)?/g, far);
  if (typeof value !== 'number') return value;
  return above === 'trigger' && key === 'afterSeconds' ? value / 10 : Math.min(value, AT_MOST[key] ?? value);
};

const ACCOUNTS = [1, 2, 3].map((n) => ({
  username: `100${n}`,
  number: `${n}`,
  displayName: `Desk ${n}`,
  values: { desk: `${n}`, field2: `${n}` },
}));
const PLACE = { placement: { mode: 'REGION', region: 'local' } };
const CALLERS = {
  name: 'callers',
  registrar: 'cloud',
  callee: { mode: 'GROUP', group: 'callees' },
  ...PLACE,
  subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 2 }],
};
const CALLEES = {
  ...CALLERS,
  name: 'callees',
  callee: { mode: 'RECEIVE' },
  subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: 2 }],
};
/** Both ends of a call must agree on these. */
const MEDIA = ['mediaTracks', 'audioCodecs', 'videoCodecs', 'encryption', 'packetMs'];
const mediaOf = (group: Fields): Fields => {
  const tracks = group['mediaTracks'] as readonly Fields[] | undefined;
  // An action of the caller adds a deferred track; the callees keep their first ones.
  const first = tracks?.filter((track) => track['deferred'] !== true);
  const hasVideo = first?.some((track) => track['kind'] === 'VIDEO');
  const names = hasVideo ? MEDIA : MEDIA.filter((name) => name !== 'videoCodecs');
  const media = Object.entries(group).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(media), ...(first && { mediaTracks: first }) };
};

const TEST_OF: Readonly<Record<string, (part: Fields) => Fields>> = {
  test: (part) => ({ groups: [CALLERS, CALLEES], ...part }),
  group: (part) => ({
    groups: [
      { ...CALLERS, ...('callee' in part && { registrar: 'pbx' }), ...part },
      ...('callee' in part ? [] : [{ ...CALLEES, ...mediaOf(part) }]),
    ],
  }),
  callees: (part) => ({ groups: [CALLERS, { ...CALLEES, ...part }] }),
};

const slugOf = ({ at }: PageBlock): string => at.replace(/^.*\/(.*)\.md:(\d+)$/, '$1-$2');

/** Blocks that are tests or parts of tests, and registrars. */
export const pageBlocks = (): PageBlock[] =>
  allBlocks().filter(({ language, kind }) => language === 'yaml' && (kind in TEST_OF || kind === 'registrar'));

/** @param far `address:port` */
export function pageProject(far: string): Fields {
  const blocks = pageBlocks().map((block) => ({ block, part: parse(block.text) as Fields }));
  const trunk = (slug: string) => ({ slug, name: slug, uri: `sip:${far}`, register: false, sipAccounts: ACCOUNTS });
  const registrars = blocks
    .filter(({ block }) => block.kind === 'registrar')
    .map(({ block, part }) => ({ ...part, slug: slugOf(block) }));
  const tests = blocks.flatMap(({ block, part }) => {
    const test = TEST_OF[block.kind];
    if (!test) return [];
    const slug = slugOf(block);
    // A slow host starts the stranger late, for whose calls these wait; the run ends when they had them.
    const waits = block.text.includes('callsFrom: ANYBODY') ? { durationSeconds: 60 } : {};
    return [{ slug, name: slug, buildup: 0, durationSeconds: 2, ...(small(test(part), far) as Fields), ...waits }];
  });
  return { slug: 'lab', name: 'Lab', registrars: [trunk('pbx'), trunk('trunk'), ...registrars], tests };
}

/** Slugs of the tests, with their blocks. */
export const pageTests = (): PageTest[] =>
  pageBlocks()
    .filter(({ kind }) => kind in TEST_OF)
    .map((block) => ({ block, slug: slugOf(block) }));
