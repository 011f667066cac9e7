import * as z from 'zod';
import { Id, Timestamp } from './envelope.ts';

export const Project = z
  .object({
    id: Id,
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    testCount: z.int(),
    probeCount: z.int(),
    registrarCount: z.int(),
  })
  .meta({ id: 'Project' });

export const ProjectDetail = Project.extend({
  organizationName: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  workerCount: z.int(),
  mediaFileCount: z.int(),
  lastRunAt: Timestamp.nullable(),
}).meta({ id: 'ProjectDetail' });
