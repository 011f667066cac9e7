/**
 * Bindings of many phones, held over a few agents: registered one after another, refreshed, and made again after the registrar was
 * away, for a moment and for longer than any binding lasts. SIPp registers phones of its own while the agents register theirs.
 * `CARILLON_PROVE_BINDINGS` is how many.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunDetail } from '../../peers/lab/lab.ts';
import { until } from '../../peers/process.ts';
import { passwordOf } from '../../peers/sip/kamailio.ts';
import { keptCpuSeconds, startKeptSipp } from '../kept-sipp.ts';
import { n, orDash, type ResultTable, times } from '../table.ts';
import {
  evenRate,
  grantedBy,
  type PhonesBed,
  type PhonesForm,
  residentOfAgents,
  type Span,
  secondsUntil,
  spanOf,
  TEST,
  withBindings,
} from './held-bindings.ts';

export const SHORT: PhonesForm = { bindings: 2000, agents: 2, expiresSeconds: 30, restartSeconds: 3, retrySeconds: 10 };
const WHOLE: PhonesForm = {
  bindings: Number(process.env['CARILLON_PROVE_BINDINGS'] ?? 100_000),
  agents: 4,
  expiresSeconds: 120,
  restartSeconds: 10,
  retrySeconds: 30,
};

const SETTLE_MS = 5000;
/** The highest second, against an even rate. */
const UNEVEN = 1.5;
/** Beyond the longest life of a binding. */
const MARGIN_SECONDS = 5;
const PHONE = path.resolve(import.meta.dirname, '..', '..', 'peers', 'sip', 'sipp', 'register.xml');

type Row = Span & {
  readonly what: string;
  readonly contacts: number;
  /** After how many seconds half of the bindings were there, and all; absent: they all were. */
  readonly there?: { readonly half: number; readonly all: number };
  readonly kibEach?: number;
  /** Bindings for a second of SIPp's CPU. */
  readonly ofSipp?: number;
};

export const registrations = (form: PhonesForm = WHOLE): Promise<ResultTable> => withBindings(form, prove);

async function prove(bed: PhonesBed): Promise<ResultTable> {
  const { lab, pbx, form } = bed;
  const { bindings, expiresSeconds, restartSeconds } = form;
  await sleep(SETTLE_MS);
  const idleMiB = await residentOfAgents(lab);
  const testRunId = await lab.startRun(TEST);
  const registered = await register(bed, testRunId);
  // The first refreshes begin before the last registration; a tenth of their time later all have begun.
  await sleep(100 * expiresSeconds);
  const refreshes = await spanOf(bed, () => sleep(1000 * expiresSeconds));
  const kibEach = (1024 * ((await residentOfAgents(lab)) - idleMiB)) / bindings;
  const refreshed: Row = { ...refreshes, what: 'refreshes', contacts: await pbx.contacts(), kibEach };
  const [expired, first] = [await pbx.expired(), await grantedBy(pbx)];
  const restarted = await away(bed, 'a restart', restartSeconds);
  const second = await grantedBy(pbx);
  const storm = await away(bed, 'an absence longer than bindings last', expiresSeconds + MARGIN_SECONDS);
  const { phases } = (await lab.run(testRunId)).progress;
  await lab.call('cancelTestRun', { projectId: lab.projectId, testRunId });
  const { made, lapsed } = (await lab.ended(testRunId)).registrationRefreshes ?? { made: 0, lapsed: Number.NaN };
  const third = await grantedBy(pbx);
  const rows = [registered, refreshed, restarted, storm];
  const claims: Readonly<Record<string, boolean>> = {
    'the registrar has as many contacts as there are bindings': rows.every(({ contacts }) => contacts === bindings),
    'every endpoint has its binding at the end': phases.REGISTERED === bindings && lapsed === 0,
    'no binding expires while nothing is wrong': expired === 0,
    'refreshes are spread evenly': refreshed.granted.highest <= UNEVEN * refreshed.granted.mean,
    'the registrar has granted every refresh that the run counts': first + second + third >= bindings + made,
    ...claimsOfReturn(restarted, storm, form),
  };
  const faults = Object.entries(claims).flatMap(([claim, holds]) => (holds ? [] : [`does not hold: ${claim}`]));
  return { heads: HEADS, rows: rows.map(cellsOf), faults };
}

function claimsOfReturn({ granted, there }: Row, storm: Row, form: PhonesForm): Readonly<Record<string, boolean>> {
  const { bindings, expiresSeconds, retrySeconds } = form;
  return {
    // Those that were refused in the absence come together with those that are due.
    'after a restart no more come in a second than are due twice': granted.highest <= 2 * UNEVEN * evenRate(form),
    'after a restart all are back before a binding would expire': there !== undefined && there.all <= expiresSeconds,
    'a storm is no stronger than its retries': storm.granted.highest <= (UNEVEN * bindings) / retrySeconds,
    'a storm is over within two waits of a retry': storm.there !== undefined && storm.there.all <= 2 * retrySeconds,
  };
}

/** The agents register; SIPp registers as many as one of them, at its rate. */
async function register(bed: PhonesBed, testRunId: string): Promise<Row> {
  const { lab, pbx, ofSipp, form } = bed;
  const count = Math.ceil(form.bindings / form.agents);
  const rate = Math.ceil(evenRate(form) / form.agents);
  const accounts = path.join(lab.dir, 'phones-of-sipp');
  await writeFile(accounts, phonesOfSipp(count));
  const load = ['-r', String(rate), '-m', String(count), '-l', String(count)];
  const where = `${ofSipp.address}:${ofSipp.port}`;
  const sipp = await startKeptSipp(lab.net.address(62), [where, '-sf', PHONE, '-inf', accounts, ...load]);
  const span = await spanOf(bed, () => areThere(bed));
  const hasAll = ({ progress }: RunDetail): boolean => progress.phases.REGISTERED === form.bindings;
  await lab.reaches(testRunId, 'has every binding', hasAll, 1000);
  const cpuSeconds = await keptCpuSeconds(sipp);
  const perSecond = (await ofSipp.contacts()) / cpuSeconds;
  return { ...span, what: 'first registration', contacts: await pbx.contacts(), ofSipp: perSecond };
}

/** The accounts as SIPp's scenario expects them. */
function phonesOfSipp(count: number): string {
  const names = Array.from({ length: count }, (_, i) => String(100_000 + i));
  const lines = names.map((name) => `${name};[authentication username=${name} password=${passwordOf(name)}]`);
  return ['SEQUENTIAL', ...lines, ''].join('\n');
}

/** The registrar is asked, since a look at so large a run is dear. */
const areThere = ({ pbx, form }: PhonesBed): Promise<unknown> =>
  until('every binding is there', async () => (await pbx.contacts()) === form.bindings, {
    everyMs: 500,
    idleMs: 4000 * form.expiresSeconds,
  });

/** The registrar is away for so many seconds, and has forgotten everything when it comes back. */
async function away(bed: PhonesBed, what: string, seconds: number): Promise<Row> {
  const { pbx, form } = bed;
  await pbx.breakDown();
  await sleep(1000 * seconds);
  await pbx.startAgain();
  const upAtMs = Date.now();
  const span = await spanOf(bed, () => areThere(bed));
  const all = (Date.now() - upAtMs) / 1000;
  const half = secondsUntil((await pbx.registers()).granted, upAtMs / 1000, form.bindings / 2);
  return { ...span, what: `after ${what} of ${seconds} s`, contacts: await pbx.contacts(), there: { half, all } };
}

const HEADS = [
  'what',
  'contacts at the registrar',
  'bindings granted a second: mean, highest',
  'REGISTERs a second: mean, highest',
  's until half, all are back',
  'bindings a CPU-second of the agents',
  'of SIPp',
  'agents to SIPp',
  'KiB of an agent a binding',
];

function cellsOf({ what, contacts, granted, asked, there, cpuSeconds, ofSipp, kibEach }: Row): string[] {
  const each = granted.sum / cpuSeconds;
  return [
    what,
    n(contacts),
    `${n(granted.mean)}, ${n(granted.highest)}`,
    `${n(asked.mean)}, ${n(asked.highest)}`,
    there === undefined ? '—' : `${n(there.half)}, ${n(there.all)}`,
    n(each),
    orDash(ofSipp ?? null),
    ofSipp === undefined ? '—' : times(each / ofSipp),
    orDash(kibEach ?? null, 1),
  ];
}
