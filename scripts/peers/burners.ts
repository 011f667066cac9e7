/** Takes processor time away from a process: it is pinned to one core, on which several others always run. */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Peer, startPeer } from './process.ts';

export type Burners = { stop(): Promise<void> };

/** The last one; the measuring processes have the others. */
const CORE = String(availableParallelism() - 1);
const ALL_CORES = `0-${CORE}`;
const BURNERS = 6;

/** Only root may raise a priority; otherwise the burners have the normal one. */
const niceness = process.getuid?.() === 0 ? '-15' : '0';

const pin = (cores: string, pid: number): void => {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
};

export function starve(pid: number): Burners {
  pin(CORE, pid);
  const burners: Peer[] = Array.from({ length: BURNERS }, () =>
    startPeer('nice', ['-n', niceness, 'taskset', '-c', CORE, 'sh', '-c', 'while :; do :; done']),
  );
  return {
    async stop() {
      await Promise.all(burners.map((burner) => burner.stop('SIGKILL')));
      pin(ALL_CORES, pid);
    },
  };
}
