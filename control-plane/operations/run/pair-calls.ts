/**
 * Findings from both ends of a call, once all of them are closed: different codecs, lost digits, and a caller that
 * heard everything while the other end did not. A call is good if both of its ends are.
 */
import { FINDINGS, type FindingKind, isFindingKind } from '@carillon/proto';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import type { LockedRun } from '../../store/run/locked-run.ts';
import {
  addPairFindings,
  codecAsymmetries,
  failCalls,
  judgePairs,
  lostDigits,
  markUnheard,
  unheardThere,
} from '../../store/run/pairs.ts';
import { deduceCallPairs } from './deduce-pairs.ts';

const ONE_WAY: FindingKind = 'ONE_WAY_AUDIO';

type PairedRun = Pick<LockedRun, 'id' | 'config' | 'endpoints' | 'isFolded'>;

export async function pairCalls(ports: Pick<Ports, 'log'>, tx: Tx, run: PairedRun): Promise<void> {
  const { id, config } = run;
  // Only for calls among groups of the test are both ends known.
  if (!config.groups.some(({ callee }) => callee.mode === 'GROUP' || callee.mode === 'RECEIVE')) return;
  await deduceCallPairs(ports, tx, run);
  const asymmetric = await codecAsymmetries(tx, id);
  if (asymmetric.length > 0) await addPairFindings(tx, id, 'CODEC_ASYMMETRY', asymmetric);
  const lost = await lostDigits(tx, id);
  if (lost.length > 0) await addPairFindings(tx, id, 'DIGITS_LOST', lost);
  await failUnheard(tx, id, config);
  await judgePairs(tx, id);
}

const subPopulationsOf = ({ subPopulations }: TestConfig['groups'][number]): string[] =>
  subPopulations.map(({ id }) => id);

/** An end that refers the other to a third party does not see its result. */
const refers = ({ actions }: TestConfig['groups'][number]): boolean =>
  actions.some(({ action }) => action.do === 'REFER' || action.do === 'ATTENDED_TRANSFER');

async function failUnheard(tx: Tx, runId: string, config: Pick<TestConfig, 'groups'>): Promise<void> {
  const tolerant = new Set(
    config.groups
      .filter((group) => group.expectations?.toleratedFindings.includes('ONE_WAY_AUDIO'))
      .flatMap(subPopulationsOf),
  );
  const referring = new Set(config.groups.filter(refers).flatMap(subPopulationsOf));
  const unheard = (await unheardThere(tx, runId)).filter((one) => !referring.has(one.subPopulationId));
  const found = unheard.map(({ endpoint, pairing, subPopulationId, kind }) => ({
    endpoint,
    pairing,
    tolerated: tolerant.has(subPopulationId),
    detail: `This end heard the other, and was not heard by it${isFindingKind(kind) ? `: ${FINDINGS[kind].title}` : ''}.`,
  }));
  if (found.length === 0) return;
  await addPairFindings(tx, runId, ONE_WAY, found);
  const failed = found.filter((f) => !f.tolerated).map((f) => f.endpoint);
  const tolerated = found.filter((f) => f.tolerated).map((f) => f.endpoint);
  if (failed.length > 0) await failCalls(tx, runId, failed, { cause: ONE_WAY, text: FINDINGS[ONE_WAY].title });
  if (tolerated.length > 0) await markUnheard(tx, runId, tolerated);
}
