/** A run's figures, from the store into the contract's shape: final ones for settling, present ones while it goes on. */
import { callTimingOf, type StreamTotals, sipRequestsOf, sipResponsesOf, summaryOf } from '../domain/figures.ts';
import type { Tx } from '../store/db.ts';
import { callCounts, seizures, timingDistributions } from '../store/endpoints.ts';
import { sipCounts } from '../store/sip-counts.ts';

export async function drawFigures(tx: Tx, runId: string, streams: StreamTotals) {
  const counts = await sipCounts(tx, runId);
  return {
    summary: summaryOf(streams),
    callTiming: callTimingOf(
      await callCounts(tx, runId),
      await seizures(tx, runId),
      await timingDistributions(tx, runId),
    ),
    sipResponses: sipResponsesOf(counts),
    sipRequests: sipRequestsOf(counts),
  };
}
