import * as z from 'zod';
import { Id } from './envelope.ts';
import { OWNERSHIPS } from './words.ts';

/** The embedded worker of spec section 2. */
export const WorkerRef = z.object({ id: Id, name: z.string(), ownership: z.enum(OWNERSHIPS) }).meta({ id: 'Worker' });
export type WorkerRef = z.infer<typeof WorkerRef>;
