/**
 * When a run ends itself, as users write it: `successShare<90 for 30s, callSetup>2000 for 10s`. Each rule names a metric, its
 * bad side, and the seconds over which the metric is taken. Pure.
 */
import * as z from 'zod';
import { METRIC_KEYS, type MetricKey } from '../metric-keys.ts';

/** The metrics that exist for each second of a run, also for calls that have no rows. */
export const ABORT_KEYS = [
  'successShare',
  'callSetup',
  'avgMos',
  'avgRFactor',
  'avgJitter',
  'avgRtt',
  'avgPacketLossFraction',
] as const satisfies readonly MetricKey[];
export type AbortKey = (typeof ABORT_KEYS)[number];

export type AbortRule = {
  readonly key: AbortKey;
  readonly limit: number;
  readonly seconds: number;
  /** The rule as it was written, without spaces around it. */
  readonly text: string;
};

const MAX_ABORT_RULES = 5;
/** Agents report about every second. */
export const MIN_ABORT_SECONDS = 2;
export const MAX_ABORT_SECONDS = 600;

const RULE = /^([a-zA-Z]+)\s*([<>])\s*(\d{1,9}(?:\.\d{1,9})?)\s+for\s+(\d{1,4})\s*s$/;
const FORM = `METRIC<NUMBER for SECONDSs, for example "successShare<90 for 30s"`;

/** The rule, or its fault, which does not repeat what was written: that may be a secret in the wrong place. */
function ruleOf(text: string, number: number): AbortRule | string {
  const [, key = '', sign, limit, seconds] = RULE.exec(text) ?? [];
  if (sign === undefined) return `part ${number} is not a rule: write ${FORM}`;
  if (!isAbortKey(key)) return `part ${number} names no metric that can end a run: use ${ABORT_KEYS.join(', ')}`;
  const bad = METRIC_KEYS[key].higherIsBetter ? '<' : '>';
  if (sign !== bad) return `the bad side of ${key} is ${bad}`;
  const length = Number(seconds);
  if (length < MIN_ABORT_SECONDS || length > MAX_ABORT_SECONDS)
    return `part ${number} must be taken over ${MIN_ABORT_SECONDS} to ${MAX_ABORT_SECONDS} s`;
  return { key, limit: Number(limit), seconds: length, text };
}

const isAbortKey = (key: string): key is AbortKey => (ABORT_KEYS as readonly string[]).includes(key);

const partsOf = (text: string): (AbortRule | string)[] => text.split(',').map((part, i) => ruleOf(part.trim(), i + 1));

/** The rules of a valid text. */
export const abortRules = (text: string | null): AbortRule[] =>
  text === null ? [] : partsOf(text).filter((rule) => typeof rule !== 'string');

/** What is wrong with a text; null: nothing. */
export function abortFault(text: string): string | null {
  const parts = partsOf(text);
  if (parts.length > MAX_ABORT_RULES) return `has at most ${MAX_ABORT_RULES} rules`;
  return parts.find((rule) => typeof rule === 'string') ?? null;
}

export const AbortOn = z
  .string()
  .trim()
  .max(500)
  .superRefine((text, context) => {
    const message = abortFault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .describe(
    `ends a run early: up to ${MAX_ABORT_RULES} rules with commas between them, each METRIC<NUMBER for SECONDSs; the metric is taken over the calls that ended in the last seconds, or over the packets of these seconds; one of ${ABORT_KEYS.join(', ')} (p95 of callSetup)`,
  );
