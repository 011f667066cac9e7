/** Workers in words, and the page of workers from its address to the API. Pure. */
import { versionOrder } from '@carillon/proto/base/version-order.ts';
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { pageOf } from '../basics/periods.ts';
import { WAITING_WORKER, WORKER } from '../basics/tones.ts';

type Worker = Output<'listWorkers'>;

export const LIMITS: Readonly<Record<Worker['capacityLimits'][number]['limit'], string>> = {
  CONFIGURED: 'its setting',
  POLICY: 'host policy',
  AGENT: 'own figure',
  OPEN_FILES: 'open files',
  PORTS: 'media ports',
};

/** What its capacity is bounded by; null: its agent has never connected. */
export function limitWords({ agent, capacityLimits: [strictest] }: Pick<Worker, 'agent' | 'capacityLimits'>) {
  if (agent === null || strictest === undefined) return null;
  const isMeasured = strictest.limit === 'AGENT' && agent.calibration?.unused === null;
  return isMeasured ? 'CPU (calibrated)' : LIMITS[strictest.limit];
}

/** `0.0.9, older`, beside a control plane of a later version. */
export function versionWords(version: string, own: string): string {
  const order = versionOrder(version, own);
  return order === 'SAME' ? version : `${version}, ${order.toLowerCase()}`;
}

/** What workers have in common. */
export type WorkerGrouping = {
  /** The parameter of the address and of the API that selects a group. */
  readonly by: string;
  readonly title: string;
  /** All of its values; absent: any text. */
  readonly words?: Readonly<Record<string, string>>;
  /** The group of those that have no value. */
  readonly none?: string;
};

/** Features add theirs. */
export const CORE_GROUPINGS: readonly WorkerGrouping[] = [
  {
    by: 'state',
    title: 'State',
    words: {
      ...Object.fromEntries(Object.entries(WORKER).map(([status, [, word]]) => [status, word])),
      WAITING: WAITING_WORKER[1],
    },
  },
  { by: 'region', title: 'Region' },
  { by: 'version', title: 'Version', none: 'Never connected' },
  { by: 'limited_by', title: 'Limited by', words: LIMITS },
];

/** The filters as they are in the address: a value for what workers are grouped by. */
export type WorkerSearch = Readonly<Record<string, string | undefined>>;

/** Invalid values are ignored, since addresses are typed by hand. */
export function filterOf(search: WorkerSearch, groupings: readonly WorkerGrouping[]): CallInput<'getFleet'> {
  const text = search['search']?.slice(0, 100);
  const chosen = groupings.flatMap(({ by, words }) => {
    const value = search[by];
    return value && (!words || value in words) ? [[by, [value.slice(0, 100)]] as const] : [];
  });
  return { ...(text && { search: text }), ...Object.fromEntries(chosen) } as CallInput<'getFleet'>;
}

export const workersQueryOf = (
  search: WorkerSearch,
  groupings: readonly WorkerGrouping[],
): CallInput<'listWorkers'> => ({ ...filterOf(search, groupings), page: pageOf(search['page']) });
