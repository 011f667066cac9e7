/**
 * Endpoints of a run, and each of their calls, as lines of CSV. New columns are appended, so that readers by
 * position continue to work. Pure.
 */
import { type AnsweredIn, answeredIn, FIGURES } from '@carillon/proto/figures/call-figures.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { sipUser } from '../../../contract/sip-uri.ts';
import { type CsvCell, csvOf } from '../../../domain/csv.ts';

export type ExportedEndpoint = Output<'listTestRunCalls'> & Pick<Output<'getTestRunEndpoint'>, 'endedBy' | 'release'>;

type Column = readonly [name: string, of: (e: ExportedEndpoint) => CsvCell];

/** Each kind once, the most severe first. */
const kinds = ({ findings }: ExportedEndpoint, tolerated: boolean): string =>
  [...new Set(findings.filter((f) => f.tolerated === tolerated).map((f) => f.finding))].join(' ');

type ListedFigure = AnsweredIn<'LIST'>;
const figure = (name: ListedFigure): Column => [name, (e) => e.callTiming?.[name]];

const rounded = (value: number | null | undefined, digits: number): CsvCell =>
  value === null || value === undefined ? null : Number(value.toFixed(digits));

/** These figures have kept their places since the first version of the file. */
const FIRST_FIGURES = [
  'timeToTryingMs',
  'timeToRingingMs',
  'pddMs',
  'callSetupMs',
  'timeToFirstMediaMs',
  'callDurationMs',
  'registerRttMs',
] as const satisfies readonly ListedFigure[];
const isLater = (name: ListedFigure): boolean => FIGURES.get(name)?.isLaterInCsv === true;

const COLUMNS: readonly Column[] = [
  ['id', (e) => e.id],
  ['endpointType', (e) => e.endpointType],
  ['outcome', (e) => e.outcome],
  ['phase', (e) => e.phase],
  ['calleeUri', (e) => e.calleeUri],
  ['worker', (e) => e.worker.name],
  ['registrar', (e) => e.registrar.name],
  ['failureCause', (e) => e.failure?.cause],
  ['failureParty', (e) => e.failure?.party],
  ['failureSipStatus', (e) => e.failure?.sipStatus],
  ['failureReason', (e) => e.failure?.reason],
  ['callResult', (e) => e.callTiming?.callResult],
  ['finalStatusCode', (e) => e.callTiming?.finalStatusCode],
  ['finalReasonPhrase', (e) => e.callTiming?.finalReasonPhrase],
  ...FIRST_FIGURES.map(figure),
  ['mos', (e) => rounded(e.media?.mos, 3)],
  ['lossFraction', (e) => rounded(e.media?.lossFraction, 6)],
  ['jitterMeanMs', (e) => rounded(e.media?.jitterMs, 3)],
  ['packetsSent', (e) => e.media?.packetsSent],
  ['packetsReceived', (e) => e.media?.packetsReceived],
  ['longestGapMs', (e) => rounded(e.media?.longestGapMs, 0)],
  ['findings', (e) => kinds(e, false)],
  ['toleratedFindings', (e) => kinds(e, true)],
  ['failureSentence', (e) => e.failure?.sentence],
  ['q850', (e) => e.release?.q850],
  ['q850Name', (e) => e.release?.q850Name],
  ['reasonText', (e) => e.release?.reasonText],
  ['warning', (e) => e.release?.warning],
  ['retryAfterSeconds', (e) => e.failure?.retryAfterSeconds],
  ['dialledNumber', (e) => sipUser(e.calleeUri)],
  ['callId', (e) => e.callId],
  ['endedBy', (e) => e.endedBy],
  ...answeredIn('LIST').filter(isLater).map(figure),
  ['awaitedMs', (e) => rounded(e.media?.awaitedMs, 0)],
  ['absentMs', (e) => rounded(e.media?.absentMs, 0)],
  ['pausedMs', (e) => rounded(e.media?.pausedMs, 0)],
  ['endpointId', (e) => e.endpoint.id],
  ['endpointNumber', (e) => e.endpoint.number],
  ['call', (e) => e.endpoint.call],
  ['inviteAt', (e) => e.inviteAt],
];

export const csvHead = (): string => csvOf(COLUMNS.map(([name]) => name));
export const csvLine = (endpoint: ExportedEndpoint): string => csvOf(COLUMNS.map(([, of]) => of(endpoint)));
