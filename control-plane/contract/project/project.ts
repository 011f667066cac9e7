import * as z from 'zod';
import { Id, Timestamp, Version } from '../envelope.ts';
import { Description, Name, Slug } from '../fields.ts';

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
  version: Version,
  workerCount: z.int(),
  mediaFileCount: z.int(),
  lastRunAt: Timestamp.nullable(),
}).meta({ id: 'ProjectDetail' });

export const NewProject = {
  slug: Slug.optional().describe('absent: derived from the name'),
  name: Name,
  description: Description.default(''),
};
export const ProjectChange = { name: Name.optional(), description: Description.optional() };
