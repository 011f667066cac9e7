/** Rows about the organization of the key: owner, permissions, activity, placement of tests. */
import * as z from 'zod';
import { Page } from '../envelope.ts';
import { Text } from '../fields.ts';
import { cursorOf } from '../query.ts';
import type { OperationRow } from '../row.ts';
import { Fleet, Region, WorkerDetail, WorkerFilter } from '../worker.ts';
import { FoundNames, Overview, PlanUse } from './organization.ts';
import { Whoami } from './whoami.ts';

export const OWN = {
  getOverview: {
    method: 'GET',
    path: '/overview',
    summary: 'Current activity in all projects that the key may see',
    role: 'VIEWER',
    input: z.object({
      project_id: z.string().optional().describe('of this project only; workers are of the organization'),
    }),
    output: Overview,
    answers: 'single',
    status: 200,
    extension: true,
  },
  findByName: {
    method: 'GET',
    path: '/names',
    summary:
      'Tests, probes and runs by their names, runs also by id, in all projects that the key may see; 6 of each at most',
    role: 'VIEWER',
    input: z.object({
      text: Text.trim().min(1).max(200).describe('words that the name has, in any case; or the id of a run'),
    }),
    output: FoundNames,
    answers: 'single',
    status: 200,
    extension: true,
  },
  getPlan: {
    method: 'GET',
    path: '/plan',
    summary: "What the organization's plan includes, and current use",
    role: 'VIEWER',
    input: z.object({}),
    output: PlanUse,
    answers: 'single',
    status: 200,
    extension: true,
  },
  getWhoami: {
    method: 'GET',
    path: '/whoami',
    summary: 'Owner and rights of the key: organization, role, scopes, projects, limits of the plan',
    role: 'VIEWER',
    input: z.object({}),
    output: Whoami,
    answers: 'single',
    status: 200,
    extension: true,
  },
  listWorkers: {
    method: 'GET',
    path: '/workers',
    summary: 'Workers of the organization, and workers shared with it',
    role: 'VIEWER',
    input: z.object({
      ...Page,
      ...WorkerFilter,
      ...cursorOf(['name', '-name', 'region', '-region', 'capacity', '-capacity']),
    }),
    output: WorkerDetail,
    answers: 'list',
    status: 200,
    extension: true,
  },
  getFleet: {
    method: 'GET',
    path: '/fleet',
    summary: 'How many workers there are, and how many of each state, region, version …',
    role: 'VIEWER',
    input: z.object(WorkerFilter),
    output: Fleet,
    answers: 'single',
    status: 200,
    extension: true,
  },
  listRegions: {
    method: 'GET',
    path: '/regions',
    summary: 'Regions with workers, where a test can be placed',
    role: 'VIEWER',
    input: z.object(Page),
    output: Region,
    answers: 'list',
    status: 200,
    extension: true,
  },
} as const satisfies Record<string, OperationRow>;
