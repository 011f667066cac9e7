/**
 * `carillon-agent calibrate`: measures how much this host carries before its own noise would show, which the control
 * plane then gives it.
 */
import type { Config } from '../config.ts';
import { readRunning } from '../state-folder.ts';
import { AGENT_VERSION } from '../version.ts';
import { type Calibration, hardware, writeCalibration } from './calibration.ts';
import { openBench } from './measure.ts';
import { search } from './search.ts';

const FIRST_ENDPOINTS = 100;
const FIRST_CALLS_PER_SECOND = 25;
const CALLS_SECONDS = 5;
/** Streams are built up slowly: the noise of streams is measured, not that of call setup. */
const BUILDUP_SECONDS = 4;

/**
 * 0: the result is stored; 1: even the smallest load failed. Rejects if an agent runs: each would disturb the other's
 * measurement.
 */
export async function calibrateCommand(config: Config, seconds: number, json: boolean): Promise<number> {
  const running = await readRunning(config.stateDir);
  if (running !== null)
    throw new Error(
      `The agent of ${config.stateDir} runs (process ${running.pid}): stop it first: its load would be measured, too.`,
    );
  const most = Math.floor((config.rtpPorts.to - config.rtpPorts.from + 1) / 2);
  const bench = await openBench(config, most);
  const say = (line: string): void => void (json ? null : console.log(line));
  try {
    const endpoints = await search(
      { unit: 'endpoints', first: FIRST_ENDPOINTS, most },
      (load) => bench.measure({ endpoints: load, callsPerSecond: load / 2 / BUILDUP_SECONDS, seconds }),
      say,
    );
    const callsPerSecond = await search(
      { unit: 'calls a second', first: FIRST_CALLS_PER_SECOND, most: Math.floor(most / 2 / CALLS_SECONDS) },
      (load) => bench.measure({ endpoints: 2 * load * CALLS_SECONDS, callsPerSecond: load, seconds: 1 }),
      say,
    );
    const { mediaThreads, signallingThreads, stateDir } = config;
    const found: Calibration = {
      at: new Date().toISOString(),
      build: AGENT_VERSION,
      hardware: hardware(),
      adapter: bench.adapter,
      mediaThreads,
      signallingThreads,
      endpoints,
      callsPerSecond,
    };
    if (endpoints === 0) throw new Error('Even the smallest load failed. `carillon-agent doctor` checks this host.');
    await writeCalibration(stateDir, found);
    console.log(
      json
        ? JSON.stringify(found, null, 2)
        : `This host carries ${endpoints} endpoints, ${callsPerSecond} calls a second.`,
    );
    return 0;
  } finally {
    await bench.close();
  }
}
