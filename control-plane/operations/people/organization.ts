/** The organization as a whole: name, activity, plan limits and current use. */
import { TIERS } from '../../contract/people/words.ts';
import { heldSeconds, minutes } from '../../domain/plans.ts';
import { countWorkers } from '../../store/agents/owned-workers.ts';
import { isUuid } from '../../store/new-id.ts';
import { namedProbes, namedRuns, namedTests } from '../../store/people/found-names.ts';
import { updateOrganization as update } from '../../store/people/members.ts';
import { openIncidents, openRuns, probesWithInstances } from '../../store/people/overview.ts';
import { secondFactorOf } from '../../store/people/second-factors.ts';
import { isStrongSession } from '../../store/people/sessions.ts';
import { admittedRuns, tierOf, usedInMonth } from '../../store/people/usage.ts';
import { countProbesOfOrganization } from '../../store/probe/probe-config.ts';
import { findProject } from '../../store/project/projects.ts';
import { lastInstancesView } from '../probe/probes.ts';
import { changing, conflict } from '../request/change.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { runView } from '../run-view/runs.ts';

const MAX_SHOWN = 20;
const LAST_INSTANCES = 40;
const MAX_FOUND = 6;

export const findByName: Handler<'findByName'> = async ({ ports, actor }, { text }) => {
  const { db } = ports.database;
  const words = text.toLowerCase().split(/\s+/);
  const query = { viewer: actor, words, id: isUuid(text) ? text : null, limit: MAX_FOUND };
  const [tests, probes, runs] = await Promise.all([
    namedTests(db, query),
    namedProbes(db, query),
    namedRuns(db, query),
  ]);
  return { tests, probes, runs: runs.map((run) => ({ ...run, submittedAt: run.submittedAt.toISOString() })) };
};

export const getOverview: Handler<'getOverview'> = async ({ ports, actor }, { project_id: projectId }) => {
  const { db } = ports.database;
  if (projectId !== undefined)
    known('project', projectId, await byId(projectId, () => findProject(db, actor, projectId)));
  const reach = { viewer: actor, projectId };
  const [runs, incidents, probes, workers] = await Promise.all([
    openRuns(db, reach, MAX_SHOWN),
    openIncidents(db, reach, MAX_SHOWN),
    probesWithInstances(db, reach, MAX_SHOWN, LAST_INSTANCES, ports.now()),
    countWorkers(db, actor.organizationId),
  ]);
  return {
    runs: runs.map(({ total: _, projectName, projectId: ofProject, ...r }) => ({
      ...runView(r),
      projectId: ofProject,
      projectName,
    })),
    incidents: incidents.map(({ total: _, ...i }) => ({
      ...i,
      startedAt: i.startedAt.toISOString(),
      acknowledgedAt: i.acknowledgedAt?.toISOString() ?? null,
    })),
    probes: probes.map(({ total: _, enabledTotal: _e, badTotal: _b, unknownTotal: _u, rank: _r, ...p }) => ({
      ...p,
      autoPausedAt: p.autoPausedAt?.toISOString() ?? null,
      maintenanceUntil: p.maintenanceUntil?.toISOString() ?? null,
      lastInstances: lastInstancesView(p.lastInstances),
    })),
    counts: {
      runs: runs[0]?.total ?? 0,
      incidents: incidents[0]?.total ?? 0,
      probes: probes[0]?.total ?? 0,
      enabledProbes: probes[0]?.enabledTotal ?? 0,
      badProbes: probes[0]?.badTotal ?? 0,
      unknownProbes: probes[0]?.unknownTotal ?? 0,
      workers: workers.all,
      onlineWorkers: workers.online,
      waitingWorkers: workers.waiting,
    },
  };
};

export const getPlan: Handler<'getPlan'> = async ({ ports, actor: { organizationId } }) => {
  const { db } = ports.database;
  const { plans } = ports.settings;
  const now = ports.now();
  const month = [now.getUTCFullYear(), now.getUTCMonth()] as const;
  const plan = await tierOf(db, organizationId);
  const open = await admittedRuns(db, organizationId);
  const { endpointSeconds, runs } = await usedInMonth(db, organizationId, now);
  return {
    plan,
    limits: plans[plan],
    period: {
      from: new Date(Date.UTC(...month)).toISOString(),
      to: new Date(Date.UTC(month[0], month[1] + 1)).toISOString(),
    },
    used: {
      endpointMinutes: minutes(endpointSeconds),
      heldEndpointMinutes: minutes(heldSeconds(open)),
      runs,
      concurrentEndpoints: open.reduce((n, r) => n + r.endpoints, 0),
      concurrentRuns: open.length,
      probes: await countProbesOfOrganization(db, organizationId),
    },
    plans: TIERS.map((name) => ({ plan: name, limits: plans[name] })),
  };
};

export const updateOrganization = changing<'updateOrganization'>(async ({ actor }, tx, change) => {
  const isPassed = async () =>
    (await secondFactorOf(tx, actor.userId)) !== undefined || (await isStrongSession(tx, actor.credentialId));
  if (change.needsSecondFactor && !(await isPassed()))
    throw conflict('Set up a second factor of your own first, in your account.');
  return update(tx, actor.organizationId, change);
});
