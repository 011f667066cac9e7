/**
 * A worker as the control plane sees it.
 *
 * greeted    its agent proved its key on a new connection
 * returned   the same, for a worker that an operator has drained: an absence does not end that
 * gone       the connection ended, or the replica that held it died
 * drained    an operator wants no new runs on it
 * resumed    an operator wants new runs on it again
 * faulted    a second agent has its key
 */

import type { Machine } from '@carillon/proto/base/machine.ts';
import type { WorkerStatus } from '../contract/worker-words.ts';

export type WorkerEvent = 'greeted' | 'returned' | 'gone' | 'drained' | 'resumed' | 'faulted';

export const WORKER: Machine<WorkerStatus, WorkerEvent> = {
  initial: 'OFFLINE',
  finals: [],
  transitions: {
    OFFLINE: { greeted: 'ONLINE', returned: 'DRAINING', resumed: 'OFFLINE' },
    ONLINE: { greeted: 'ONLINE', gone: 'OFFLINE', drained: 'DRAINING', faulted: 'ERROR' },
    DRAINING: { returned: 'DRAINING', gone: 'OFFLINE', resumed: 'ONLINE', faulted: 'ERROR' },
    ERROR: { greeted: 'ONLINE', returned: 'DRAINING', resumed: 'ERROR', gone: 'OFFLINE' },
  },
  heldBy: { OFFLINE: 'OUTSIDE', ONLINE: 'JOB', DRAINING: 'JOB', ERROR: 'JOB' },
};
