/** Maintenance windows, during which probes raise no alarms. */
import type { Output } from '../../contract/catalogue.ts';
import { ApiError } from '../../contract/errors.ts';
import { type MaintenanceSpan, stateOf, windowFault } from '../../domain/probe/maintenance.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import type { Slice } from '../../store/list-order.ts';
import { isUuid, newId } from '../../store/new-id.ts';
import {
  changeWindow,
  countWindows,
  deleteWindow,
  findWindow,
  insertWindow,
  listWindows,
  lockWindow,
} from '../../store/probe/maintenance.ts';
import { changing, creating, requireMatch } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { requireNamed } from '../request/named.ts';
import { byId, type Handler, known } from '../request/perform.ts';

type Row = Omit<Awaited<ReturnType<typeof listWindows>>[number], 'place'>;

const view = (w: Row, now: Date): Output<'getMaintenanceWindow'> => ({
  ...w,
  startsAt: w.startsAt.toISOString(),
  endsAt: w.endsAt.toISOString(),
  state: stateOf(w, now),
  createdAt: w.createdAt.toISOString(),
  updatedAt: w.updatedAt.toISOString(),
});

export const listMaintenanceWindows: Handler<'listMaintenanceWindows'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, state, probe_id: probeId } = input;
  await requireNamed(db, projectId, { probe: probeId });
  const now = ports.now();
  const total = await countWindows(db, projectId, { state, probeId }, now);
  const read = (w: Slice) => listWindows(db, projectId, { state, probeId, sort: input.sort }, now, w);
  const found = await listed(input, total, read);
  return { ...found, rows: found.rows.map((row) => view(row, now)) };
};

const found = async ({ now }: Ports, tx: Tx, projectId: string, id: string) =>
  view(known('maintenance window', id, await byId(id, () => findWindow(tx, projectId, id))), now());

export const getMaintenanceWindow: Handler<'getMaintenanceWindow'> = ({ ports }, { projectId, maintenanceWindowId }) =>
  found(ports, ports.database.db, projectId, maintenanceWindowId);

const MAX_WINDOWS = 1000;

const invalid = (path: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `${path}: ${message}`, [{ path, message }]);

/** @throws ApiError VALIDATION_ERROR */
function requireWindow(window: MaintenanceSpan): void {
  const fault = windowFault(window);
  if (fault !== null) throw invalid('endsAt', fault);
}

export const createMaintenanceWindow = creating(
  'createMaintenanceWindow',
  async ({ ports, actor }, tx, { projectId, probeId, startsAt, endsAt, note }) => {
    if ((await countWindows(tx, projectId, {}, ports.now())) >= MAX_WINDOWS) {
      throw invalid('projectId', `the project has ${MAX_WINDOWS} maintenance windows, which is the most; delete some`);
    }
    const window = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
    requireWindow(window);
    const id = newId();
    const isOurs =
      (probeId === null || isUuid(probeId)) &&
      (await insertWindow(tx, { id, projectId, probeId, ...window, note, createdBy: actor.userId }));
    if (!isOurs) throw invalid('probeId', `the project has no probe ${probeId}`);
    return found(ports, tx, projectId, id);
  },
);

const locked = async (tx: Tx, projectId: string, id: string) =>
  known('maintenance window', id, await byId(id, () => lockWindow(tx, projectId, id)));

export const updateMaintenanceWindow = changing<'updateMaintenanceWindow'>(
  async (context, tx, { projectId, maintenanceWindowId, startsAt, endsAt, note }) => {
    const { ports } = context;
    const present = await locked(tx, projectId, maintenanceWindowId);
    requireMatch(context, present.version);
    const change = {
      ...(startsAt !== undefined && { startsAt: new Date(startsAt) }),
      ...(endsAt !== undefined && { endsAt: new Date(endsAt) }),
      ...(note !== undefined && { note }),
    };
    requireWindow({ ...present, ...change });
    await changeWindow(tx, present.id, change);
    return found(ports, tx, projectId, present.id);
  },
);

export const deleteMaintenanceWindow = changing<'deleteMaintenanceWindow'>(
  async (context, tx, { projectId, maintenanceWindowId }) => {
    const { id, version } = await locked(tx, projectId, maintenanceWindowId);
    requireMatch(context, version);
    await deleteWindow(tx, id);
    return { id, deleted: true };
  },
);
