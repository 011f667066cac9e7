/** The rows of an agent whose calendar clock is set during calls: measurements use the monotonic clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectedFault } from './fault.ts';

const row = (name: string, seconds: number): InjectedFault => ({
  name,
  on: 'clock',
  mayLose: 'NOTHING',
  normalWithinSeconds: 15,
  async strike({ setClock }) {
    if (setClock === null) throw new Error('this row needs a clock that can be set');
    await setClock(seconds);
    await sleep(3000);
  },
});

export const CLOCK_FAULTS: readonly InjectedFault[] = [
  row("one agent's clock set forward by an hour", 3600),
  row("one agent's clock set back to where it was", 0),
  row("one agent's clock set back by an hour", -3600),
];
