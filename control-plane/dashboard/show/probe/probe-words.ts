/** A probe in words: its schedule, its health, and since when it has that health. Pure. */
import type { Output } from '../../../contract/catalogue.ts';
import { duration } from '../basics/figures.ts';
import { HEALTH, type Tone } from '../basics/tones.ts';

type Probe = Output<'listProbes'>;

export const scheduleOf = (
  p: Pick<
    Probe,
    'scheduleType' | 'cronExpression' | 'timezone' | 'fixedIntervalSec' | 'timeOfDayStartUtc' | 'timeOfDayEndUtc'
  >,
): string =>
  p.scheduleType === 'CRON'
    ? `${p.cronExpression} (${p.timezone})`
    : `every ${duration(p.fixedIntervalSec ?? 0)}${p.timeOfDayStartUtc ? `, ${p.timeOfDayStartUtc} to ${p.timeOfDayEndUtc}` : ''}`;

type Runs = Pick<Probe, 'enabled' | 'autoPausedAt' | 'lastSkipReason'>;

/**
 * Why its health is outdated, in two or three words; null: the probe runs. A probe that does not run must not show health
 * (docs/contract.md, States).
 */
export function notRunning(p: Runs): readonly [Tone, string] | null {
  if (p.autoPausedAt !== null) return ['warn', 'Paused automatically'];
  if (!p.enabled) return ['none', 'Switched off'];
  return p.lastSkipReason === null ? null : ['warn', 'Skipped'];
}

/** The headline above the sentence of its last execution: `Unhealthy for 12 min`. */
export function headlineOf(p: Runs & Pick<Probe, 'status' | 'failingSince'>, nowMs: number): string {
  const [, word] = HEALTH[p.status];
  if (notRunning(p) !== null) return `${word} when it last ran`;
  const badFor = p.failingSince === null ? null : duration(Math.max(0, nowMs - Date.parse(p.failingSince)) / 1000);
  if (p.status !== 'UNKNOWN') return badFor === null || p.status === 'HEALTHY' ? word : `${word} for ${badFor}`;
  return badFor === null
    ? 'The last execution was not graded'
    : `The last execution was not graded; failing for ${badFor}`;
}
