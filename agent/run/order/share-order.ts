/** Requests of the main thread to the shares of one signalling thread. */
import type { LoadStep } from '@carillon/proto/load/load-step.ts';
import type { SharePlan } from '../plan.ts';

export type ShareOrder =
  | { readonly op: 'allocate'; readonly plan: SharePlan }
  | { readonly op: 'start'; readonly owner: number; readonly startAtMs: number }
  | { readonly op: 'finish'; readonly owner: number }
  | { readonly op: 'stop'; readonly owner: number; readonly reason: string }
  | { readonly op: 'breakOff'; readonly owner: number; readonly untilMs: number; readonly reason: string }
  | { readonly op: 'changeLoad'; readonly owner: number; readonly steps: readonly LoadStep[] }
  | { readonly op: 'hold'; readonly held: boolean };
