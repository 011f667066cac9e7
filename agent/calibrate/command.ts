/** `carillon-agent calibrate`: how much this host carries before its own noise would show; what the control plane then gives it. */
import type { Config } from '../config.ts';
import { readRunning } from '../state-folder.ts';
import { AGENT_VERSION } from '../version.ts';
import { type Calibration, hardware, writeCalibration } from './calibration.ts';
import { type Bench, type Load, openBench } from './measure.ts';
import { best, faultsOf, nextLoad, type Tried } from './steps.ts';

const FIRST_ENDPOINTS = 100;
const FIRST_CALLS_PER_SECOND = 25;
const CALLS_SECONDS = 5;
const MOST_TIMES = 2;
/** Streams are built up slowly: their noise is asked for, not that of their calls. */
const BUILDUP_SECONDS = 4;

/** 0: the result is kept; 1: not even the least load held. Rejects where an agent runs: each would measure the other. */
export async function calibrateCommand(config: Config, seconds: number, json: boolean): Promise<number> {
  const running = await readRunning(config.stateDir);
  if (running !== null)
    throw new Error(
      `The agent of ${config.stateDir} runs (process ${running.pid}): stop it first, it would be measured, too.`,
    );
  const most = Math.floor((config.rtpPorts.to - config.rtpPorts.from + 1) / 2);
  const bench = await openBench(config, most);
  const say = (line: string): void => void (json ? null : console.log(line));
  try {
    const endpoints = await search(
      FIRST_ENDPOINTS,
      most,
      (load) => ({ endpoints: load, callsPerSecond: load / 2 / BUILDUP_SECONDS, seconds }),
      bench,
      'endpoints',
      say,
    );
    const callsPerSecond = await search(
      FIRST_CALLS_PER_SECOND,
      Math.floor(most / 2 / CALLS_SECONDS),
      (load) => ({ endpoints: 2 * load * CALLS_SECONDS, callsPerSecond: load, seconds: 1 }),
      bench,
      'calls a second',
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
    if (endpoints === 0)
      throw new Error('Not even the least load held: `carillon-agent doctor` says what this host lacks.');
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

async function search(
  first: number,
  most: number,
  loadOf: (load: number) => Load,
  bench: Bench,
  unit: string,
  say: (line: string) => void,
): Promise<number> {
  const tried: Tried[] = [];
  for (let load = nextLoad(tried, first, most); load !== null; load = nextLoad(tried, first, most)) {
    let reasons: string[] = [];
    // What does not hold is tried again: the host may have had other things to do, and a figure must not rest on one bad moment.
    for (let time = 1; time <= MOST_TIMES; time++) {
      // Ports and files that run out are a limit of the host like any other.
      reasons = await bench.measure(loadOf(load)).then(faultsOf, (error: Error) => [error.message]);
      const again = time > 1 ? ' (again)' : '';
      const seen = reasons.length === 0 ? 'held' : reasons.join(', ');
      say(`${String(load).padStart(6)} ${unit.padEnd(15)} ${seen}${again}`);
      if (reasons.length === 0) break;
    }
    tried.push({ load, held: reasons.length === 0 });
  }
  return best(tried);
}
