/**
 * Converts the shared columns of a media thread to samples: one row per interval and stream. It has no timer: its owner
 * calls it about every second, and once more at the end. A row is free for another stream only after its last figures
 * were read here.
 */

import { impairmentOf } from '@carillon/media/codec/audio-codecs.ts';
import { trustedBurstRatio } from '@carillon/media/quality/burst-ratio.ts';
import { conversationalR, mosOf } from '@carillon/media/quality/rating.ts';
import { SCALES } from '@carillon/media/quality/scales.ts';
import { addDriftPoint, type DriftPoints, forgetDriftPoints, noDriftPoints } from '@carillon/media/rtp/clock-drift.ts';
import { type AudioTally, endTally, hearInto, type MeterParts, noTally, type OpenOpusDecoder } from './audio-meter.ts';
import { askForPayloads } from './audio-tap.ts';
import { farEndPacketMs } from './far-end-packets.ts';
import { type IntervalCounts, meanOf, noCounts, readCounts } from './interval-figures.ts';
import { ACTIVE, CLOSED, CODECS, FREE, type MediaMemory } from './stream-memory.ts';
import { type StreamRecord, streamRecord } from './stream-record.ts';
import { noSamples, type StreamSamples } from './stream-samples.ts';

export type SampleBatch = {
  readonly samples: StreamSamples;
  /** Streams that have ended since the last call. */
  readonly records: readonly StreamRecord[];
};

type Reading = { generation: number; atMs: number; counts: IntervalCounts; drift: DriftPoints; audio: AudioTally };

const newReading = (): Reading => ({
  generation: 0,
  atMs: 0,
  counts: noCounts(),
  drift: noDriftPoints(),
  audio: noTally(),
});

export class Sampler {
  readonly #memory: MediaMemory;
  readonly #meter: MeterParts;
  /** The last readings by row; undefined if the row was never used. */
  readonly #readings: (Reading | undefined)[];
  /** The current reading; it is swapped with the row's last one. */
  #now: IntervalCounts = noCounts();

  /** `openOpus` null: Opus is not analysed. `random` draws the instants that are analysed. */
  constructor(memory: MediaMemory, openOpus: OpenOpusDecoder | null = null, random: () => number = Math.random) {
    this.#memory = memory;
    this.#meter = { openOpus, random };
    this.#readings = new Array(memory.capacity).fill(undefined);
  }

  /**
   * Streams that have ended since the last call: their figures are final, so an outcome need not wait for the next
   * samples.
   */
  takeClosed(): SampleBatch {
    const samples = noSamples();
    const records: StreamRecord[] = [];
    const { state } = this.#memory.streams;
    for (let row = 0; row < this.#memory.capacity; row++)
      if (Atomics.load(state, row) === CLOSED) records.push(this.#close(row, samples));
    return { samples, records };
  }

  /** Samples of every stream that is active or has ended since the last call, up to `atMs` on the agent's clock. */
  sample(atMs: number): SampleBatch {
    const samples = noSamples();
    const records: StreamRecord[] = [];
    const { state } = this.#memory.streams;
    for (let row = 0; row < this.#memory.capacity; row++) {
      const now = Atomics.load(state, row);
      if (now === ACTIVE) this.#sampleRow(row, atMs, false, samples);
      if (now === CLOSED) records.push(this.#close(row, samples));
    }
    return { samples, records };
  }

  /** Takes the last figures of a row that is CLOSED, and frees it. */
  #close(row: number, samples: StreamSamples): StreamRecord {
    const { streams } = this.#memory;
    this.#sampleRow(row, streams.closedAtMs[row]!, true, samples);
    const record = streamRecord(this.#memory, row, this.#readings[row]!);
    endTally(this.#readings[row]!.audio);
    Atomics.store(streams.state, row, FREE);
    return record;
  }

  #sampleRow(row: number, untilMs: number, isOver: boolean, samples: StreamSamples): void {
    const { streams, received } = this.#memory;
    this.#readings[row] ??= newReading();
    const reading = this.#readings[row];
    if (reading.generation !== streams.generation[row]) {
      reading.generation = streams.generation[row]!;
      reading.atMs = streams.startedAtMs[row]!;
      reading.counts = noCounts();
      forgetDriftPoints(reading.drift, 0);
      reading.audio = noTally();
      askForPayloads(this.#memory.tap, row, { atMs: untilMs, random: this.#meter.random });
    }
    const startMs = reading.atMs;
    if (untilMs <= startMs) return;
    const before = reading.counts;
    const now = this.#now;
    readCounts(this.#memory, row, untilMs, now);
    now.missingRuns = Math.max(now.missingRuns, before.missingRuns);
    // If a greater jitter is written between these two statements, it belongs to the next interval.
    const jitterMax = received.jitterIntervalMax[row]!;
    received.jitterIntervalMax[row] = 0;
    const leastTransit = received.intervalLeastTransit[row]!;
    received.intervalLeastTransit[row] = Number.POSITIVE_INFINITY;
    reading.counts = now;
    reading.atMs = untilMs;
    this.#now = before;

    const unitsPerMs = received.unitsPerMs[row]!;
    addDriftPoint(reading.drift, received.transitBase[row]!, (startMs + untilMs) / 2, leastTransit / unitsPerMs);
    const codecName = CODECS[streams.codec[row]!]!;
    hearInto(this.#memory.tap, row, reading.audio, this.#meter, { codec: codecName, atMs: untilMs, isOver });
    const losses = {
      expected: now.numbered - before.numbered,
      lost: now.lost - before.lost,
      lateDiscarded: now.lateDiscarded - before.lateDiscarded,
      // A second has too few losses for a meaningful ratio.
      burstRatio: trustedBurstRatio(received.missing[row]!, received.missingRuns[row]!, now.numbered),
    };
    const codec = impairmentOf(codecName);
    const knownRttMs = now.rttCount > 0 ? streams.rttLastMs[row]! : Number.NaN;
    const rFactor = conversationalR(codec, losses, knownRttMs, farEndPacketMs(this.#memory, row));
    const jittered = now.jitterCount > before.jitterCount;
    const reported = now.reports > before.reports;

    samples.owner.push(streams.owner[row]!);
    samples.endpointNumber.push(streams.endpointNumber[row]!);
    samples.stream.push(streams.stream[row]!);
    samples.startMs.push(startMs);
    samples.intervalMs.push(untilMs - startMs);
    samples.packetsSent.push(now.packetsSent - before.packetsSent);
    samples.octetsSent.push(now.octetsSent - before.octetsSent);
    samples.packetsReceived.push(now.packets - before.packets);
    samples.octetsReceived.push(now.octets - before.octets);
    const absent = now.absent - before.absent;
    const paused = now.paused - before.paused;
    samples.expected.push(Math.max(0, losses.expected + absent + paused));
    samples.lost.push(losses.lost);
    samples.absent.push(absent);
    samples.paused.push(paused);
    samples.discarded.push(losses.lateDiscarded);
    samples.duplicates.push(now.duplicates - before.duplicates);
    samples.reordered.push(now.reordered - before.reordered);
    samples.plcEvents.push(received.frameTimed[row] === 0 ? now.missingRuns - before.missingRuns : 0);
    samples.jitterMs.push(meanOf(now.jitterSumMs, before.jitterSumMs, now.jitterCount, before.jitterCount));
    samples.jitterMaxMs.push(jittered ? jitterMax / unitsPerMs : Number.NaN);
    samples.rttMs.push(meanOf(now.rttSumMs, before.rttSumMs, now.rttCount, before.rttCount));
    samples.mos.push(mosOf(codec, rFactor));
    samples.rFactor.push(rFactor);
    samples.scale.push(codec ? SCALES.indexOf(codec.scale) + 1 : 0);
    samples.remoteLossFraction.push(reported ? streams.remoteFractionLost[row]! / 256 : Number.NaN);
    samples.remoteJitterMs.push(reported ? streams.remoteJitterMs[row]! : Number.NaN);
  }
}
