/** The states of workers, what limits their capacity, and whose they are. */

export const WORKER_STATUSES = ['ONLINE', 'OFFLINE', 'ERROR', 'DRAINING'] as const;
export type WorkerStatus = (typeof WORKER_STATUSES)[number];

/** The same as people see them: a worker whose agent has never joined cannot be missed. */
export const WORKER_STATES = [...WORKER_STATUSES, 'WAITING'] as const;

/** Possible limits of the number of endpoints on a worker. */
export const CAPACITY_LIMITS = ['CONFIGURED', 'POLICY', 'AGENT', 'OPEN_FILES', 'PORTS'] as const;

export const OWNERSHIPS = ['USER_OWNED', 'PLATFORM'] as const;
