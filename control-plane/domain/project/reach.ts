/**
 * Reachability of a test's dependencies: SIP servers, gateways, STUN servers. Defines them, the run with one endpoint
 * each that checks them from the test's agents, and the results in words. Pure.
 */
import { hasPlaces } from '@carillon/proto/words/template.ts';
import { hostPort, sipHost, transportOf } from '../../contract/sip-uri.ts';
import type { Check } from '../../contract/test-settings/preflight.ts';
import { defaultsOf, PROBE_SETTINGS } from '../../contract/test-settings/settings.ts';
import type { Group, TestConfig } from '../../contract/test-settings/test.ts';
import { targetOf } from '../../contract/test-settings/way.ts';
import type { GroupMode } from '../../contract/test-settings/words.ts';
import { completeConfig } from '../run/group/scenario.ts';
import { type RegistrarPlan, registers } from '../run/plan/plan.ts';
import { isWebSocket } from '../run/preflight/needs.ts';
import { oneCall } from './one-call.ts';
import type { GroupDraft } from './test-draft.ts';

type ReachCheck = 'SIP_SERVERS' | 'WEB_SOCKETS' | 'GATEWAYS' | 'STUN_SERVERS';

/** `name`: the name of the checking group. It identifies the result, and includes everything that the result depends on. */
export type CheckedPlace = {
  readonly check: ReachCheck;
  readonly name: string;
  readonly group: GroupDraft;
  /** True: no call is possible without it, because no gateways exist. */
  readonly isOnly: boolean;
};

type Registrar = RegistrarPlan & { readonly name: string };

/** The limit of checked places for a test that names more. */
const MAX_PLACES = 50;

/** `hasAccounts`: whether the registrar has accounts. */
export function placesOf(
  config: TestConfig,
  registrars: ReadonlyMap<string, Registrar>,
  hasAccounts: (registrarId: string) => boolean,
): CheckedPlace[] {
  const cloudId = [...registrars.values()].find((r) => r.isCloud)?.id ?? '';
  const places = completeConfig(config).groups.flatMap((group): CheckedPlace[] => {
    const registrar = registrars.get(group.registrarId);
    const asked = registrar?.isCloud
      ? ofAddresses(group, cloudId)
      : registrar
        ? ofRegistrar(group, registrar, hasAccounts(registrar.id))
        : [];
    if (group.mode !== 'CALL' || !group.ice.startsWith('stun:')) return asked;
    const stun = { registrar: cloudId, callee: { mode: 'NONE' as const } };
    return [
      ...asked,
      placeOf(group, { check: 'STUN_SERVERS', mode: 'STUN', text: group.ice, asked: stun, ice: group.ice }),
    ];
  });
  return [...new Map(places.map((place) => [place.name, place])).values()].slice(0, MAX_PLACES);
}

/** Hosts that are called directly, without the user: calling a number may be expensive. */
function ofAddresses(group: Group, cloudId: string): CheckedPlace[] {
  const { callee } = group;
  if (callee.mode !== 'EXTERNAL_URI') return [];
  const uris = [callee.uri, ...(callee.uris ?? [])].filter((uri) => !hasPlaces(uri.replace(/^[^@]*@/, '')));
  const hosts = uris.flatMap((uri) => {
    const host = sipHost(uri);
    const [transport] = transportOf(uri);
    return host
      ? [`sip:${hostPort(targetOf(uri, host), null)}${transport ? `;transport=${transport.toLowerCase()}` : ''}`]
      : [];
  });
  return [...new Set(hosts)].map((uri) =>
    placeOf(group, {
      check: 'SIP_SERVERS',
      mode: 'OPTIONS',
      text: `${uri}, called directly`,
      asked: { registrar: cloudId, callee: { mode: 'EXTERNAL_URI', uri } },
      isOnly: true,
    }),
  );
}

function ofRegistrar(group: Group, r: Registrar, hasAccounts: boolean): CheckedPlace[] {
  const [first = null] = group.subPopulations.flatMap((s) => s.sipAccountIds?.[0] ?? []);
  const asked = { registrar: r.id, callee: { mode: 'EXTERNAL_URI' as const, uri: r.uri } };
  const proxy = r.outboundProxyUri === null ? '' : ` through ${r.outboundProxyUri}`;
  const path = r.webSocketPath ? ` at ${r.webSocketPath}` : '';
  const mode = registers(r) && hasAccounts ? 'REGISTER' : 'OPTIONS';
  const gateways = r.gateways ?? [];
  const check = isWebSocket(r.protocol) ? 'WEB_SOCKETS' : 'SIP_SERVERS';
  return [
    placeOf(group, {
      check,
      mode,
      asked,
      account: first,
      isOnly: gateways.length === 0,
      text: `${r.name}: ${r.uri} by ${r.protocol}${path}${proxy}`,
    }),
    ...gateways.map((gateway) =>
      placeOf(group, {
        check: 'GATEWAYS',
        mode: 'OPTIONS',
        text: `${r.name}: ${gateway} by ${r.protocol}`,
        asked: { ...asked, callee: { mode: 'EXTERNAL_URI' as const, uri: `sip:${gateway}` } },
      }),
    ),
  ];
}

type PlaceToCheck = {
  readonly check: ReachCheck;
  readonly mode: GroupMode;
  readonly text: string;
  readonly asked: Pick<GroupDraft, 'registrar' | 'callee'>;
  readonly ice?: string;
  readonly account?: string | null;
  readonly isOnly?: boolean;
};

function placeOf(
  { placement }: Group,
  { check, mode, text, asked, ice = 'NONE', account = null, isOnly = false }: PlaceToCheck,
): CheckedPlace {
  const from =
    placement.mode === 'REGION'
      ? { mode: 'REGION' as const, region: placement.region }
      : { mode: 'WORKERS' as const, workers: placement.workerIds };
  const where = from.mode === 'REGION' ? from.region : from.workers.join(', ');
  const name = `${text}, from ${where}`.slice(0, MAX_NAME);
  const { groups } = oneCall({ ...asked, placement: from, ...defaultsOf(PROBE_SETTINGS) }, mode);
  const accounts = account === null ? null : [account];
  const [group] = groups.map((g) => ({
    ...g,
    name,
    ice,
    subPopulations: g.subPopulations.map((s) => ({ ...s, accounts })),
  }));
  return { check, name, group: group as GroupDraft, isOnly };
}

/** The longest permitted name of a group. */
const MAX_NAME = 200;

/** The result for one place. */
export type Reached = {
  /** The name of the group that asked. */
  readonly name: string;
  /** Null: the check is still in progress. */
  readonly outcome: string | null;
  readonly cause: string | null;
  readonly text: string | null;
  readonly status: number | null;
  readonly rttMs: number | null;
  readonly failovers: number;
};

/** The last check run; `error`: the reason why it checked nothing. */
export type LastCheck = {
  readonly testRunId: string;
  readonly isOver: boolean;
  readonly error: string | null;
  readonly reached: readonly Reached[];
};

const ORDER: readonly ReachCheck[] = ['SIP_SERVERS', 'WEB_SOCKETS', 'GATEWAYS', 'STUN_SERVERS'];
const WORST = ['FAIL', 'WARN', 'PASS'] as const;

/** One check for each kind of dependency of the test; `last` null: not checked yet. */
export function reachChecks(places: readonly CheckedPlace[], last: LastCheck | null): Check[] {
  return ORDER.flatMap((check): Check[] => {
    const of = places.filter((place) => place.check === check);
    if (of.length === 0) return [];
    const results = of.map(({ name, isOnly }) => ({
      name,
      ...checkVerdictOf(
        last?.reached.find((one) => one.name === name),
        last,
        isOnly,
      ),
    }));
    const verdict = WORST.find((one) => results.some((place) => place.verdict === one)) ?? 'PASS';
    const message = results.map(({ name, message }) => `${name}: ${message}`).join(' ');
    return [{ check, verdict, message, places: results, testRunId: last?.testRunId ?? null }];
  });
}

type CheckVerdict = Pick<Check, 'verdict' | 'message'>;

function checkVerdictOf(one: Reached | undefined, last: LastCheck | null, isOnly: boolean): CheckVerdict {
  if (last !== null && !last.isOver && !one?.outcome) return { verdict: 'WARN', message: 'The check is in progress.' };
  if (last?.error && !one?.outcome) return { verdict: 'WARN', message: `The check failed: ${last.error}` };
  if (!one?.outcome) return { verdict: 'WARN', message: 'Not checked yet.' };
  const { cause, text, status, rttMs, failovers } = one;
  if (one.outcome !== 'SUCCESS') {
    const answer = [status, text].filter(Boolean).join(' ') || 'No answer';
    const cure = cause === null ? undefined : CURES[cause];
    const isClosed = isOnly && cause !== null && CLOSED.has(cause);
    const verdict = isClosed || cause === 'STUN_TIMEOUT' ? 'FAIL' : 'WARN';
    return { verdict, message: `${answer.replace(/\.$/, '')}.${cure === undefined ? '' : ` ${cure}`}` };
  }
  if (failovers > 0) return { verdict: 'WARN', message: 'Does not answer itself; another gateway does.' };
  return {
    verdict: 'PASS',
    message: rttMs === null ? 'Answers.' : `Answers, after ${Math.max(1, Math.round(rttMs))} ms.`,
  };
}

/**
 * No SIP message reached the server: no connection, wrong certificate, wrong path of the WebSocket, no address. A
 * server that gave no answer may ignore OPTIONS, and another account or agent may succeed if one was refused.
 */
const CLOSED: ReadonlySet<string> = new Set(['REGISTRATION_UNREACHABLE', 'TRANSPORT_ERROR', 'DNS_FAILED']);

/** A cure is added if the message does not name it. */
const CURES: { readonly [cause: string]: string } = {
  REGISTRATION_DENIED: 'Check the password and the auth name of the account, and the domain.',
  REGISTRATION_TIMEOUT: 'Check address, port and transport, and whether a firewall blocks them.',
  OPTIONS_TIMEOUT: 'Check address, port and transport, and whether a firewall blocks them.',
  STUN_TIMEOUT: 'A run is refused while the server does not answer: check host and port, and whether UDP passes.',
  DNS_FAILED: "Check the name, and the agent's name servers (CARILLON_DNS).",
  TARGET_NOT_ALLOWED: "The host's owner can allow it in policy.yaml.",
};
