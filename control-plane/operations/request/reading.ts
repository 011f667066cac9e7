/** Reads that a standby may answer. */
import type { Ports } from '../../ports.ts';
import { isUuid } from '../../store/new-id.ts';
import { isFinalRun } from '../../store/run/run-rows.ts';

/**
 * `read` gets ports with the standby's database, if there is a standby that has every change known here; and those of the primary
 * otherwise, or if the standby fails. `runId`: only this run is read, from the standby if it has ended there; undefined: others are.
 */
export async function reading<T>(
  ports: Ports,
  runId: string | undefined,
  read: (ports: Ports) => Promise<T>,
): Promise<T> {
  const { standby, memory } = ports;
  const database = standby?.upTo(memory.changedAtMs) ?? null;
  if (standby === null || database === null) return read(ports);
  try {
    if (runId === undefined || (isUuid(runId) && (await isFinalRun(database.db, runId))))
      return await read({ ...ports, database });
  } catch (error) {
    // It may be gone, replay something that the statement reads, or not know what another replica has just created.
    standby.failed(error);
  }
  return read(ports);
}
