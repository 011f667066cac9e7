/** Every operation and every job with its handler, of the core and of all features; a missing one does not compile. */
import { FEATURE_ENTRANCES, FEATURE_HANDLERS, FEATURE_JOB_HANDLERS } from './feature-sums/server.ts';
import { CORE_HANDLERS } from './operations/index.ts';
import { CORE_JOB_HANDLERS, type JobHandlers } from './operations/jobs.ts';
import { CORE_ENTRANCES } from './operations/people/entrance.ts';
import type { Entrances, Handlers } from './operations/request/perform.ts';

export const HANDLERS: Handlers = { ...CORE_HANDLERS, ...FEATURE_HANDLERS };

export const ENTRANCES: Entrances = { ...CORE_ENTRANCES, ...FEATURE_ENTRANCES };

export const JOB_HANDLERS: JobHandlers = { ...CORE_JOB_HANDLERS, ...FEATURE_JOB_HANDLERS };
