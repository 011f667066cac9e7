/** Starts a run again with its original settings, even if its test has changed. */
import type { Labels } from '../../contract/run/start.ts';
import { MAX_LABELS } from '../../contract/run/words.ts';
import type { Ports } from '../../ports.ts';
import { newId } from '../../store/new-id.ts';
import { mediaNames } from '../../store/project/media-files.ts';
import { runConfiguration } from '../../store/run/run-rows.ts';
import { findRun } from '../../store/run/views/run-lists.ts';
import { conflict, creating } from '../request/change.ts';
import { byId, known } from '../request/perform.ts';
import { submitValues } from '../submission/submit-values.ts';

const REPLAY_OF = 'replay-of';

export const replayTestRun = creating(
  'replayTestRun',
  async ({ ports, actor }, tx, { projectId, testRunId, labels }) => {
    const run = known('test run', testRunId, await byId(testRunId, () => findRun(tx, projectId, testRunId)));
    if (run.probeId !== null) throw conflict('The run is an execution of a probe. Run the probe instead.');
    const before = known('test run', testRunId, await runConfiguration(tx, projectId, testRunId));
    const here = await mediaNames(
      tx,
      projectId,
      before.media.map(({ mediaFileId }) => mediaFileId),
    );
    const gone = before.media.find(
      ({ mediaFileId, sha256 }) => !here.some((m) => m.mediaFileId === mediaFileId && m.sha256 === sha256),
    );
    if (gone)
      throw conflict(
        `The run played the recording ${gone.name} (SHA-256 ${gone.sha256}), which the project does not have any more. Store it again, and run the test.`,
      );
    const at = ports.now();
    const id = newId();
    const { testId, testName, config, durationSeconds, buildup } = before;
    await submitValues(
      ports,
      tx,
      {
        id,
        projectId,
        testId,
        testName,
        organizationId: actor.organizationId,
        startedBy: actor.userId,
        labels: labelsOf(repeatable(ports, run.labels), labels ?? {}, run.id),
        ...(run.overrides && { overrides: run.overrides }),
      },
      { config, durationSeconds, buildup },
      at,
    );
    return { id, testRunId: id, testId, status: 'PENDING', createdAt: at.toISOString() };
  },
);

/** The labels without those that features give to runs of their own: a replay does not belong to them. */
function repeatable({ hooks }: Ports, labels: Labels): Labels {
  const own = new Set(hooks.flatMap(({ ownLabels = [] }) => ownLabels));
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !own.has(name)));
}

/** If there are too many labels, those of the request take precedence. */
function labelsOf(before: Labels, now: Labels, runId: string): Labels {
  const kept = Object.entries(before).filter(([name]) => name !== REPLAY_OF);
  const all: Labels = Object.fromEntries([[REPLAY_OF, runId], ...Object.entries(now)]);
  for (const [name, value] of kept) if (!(name in all) && Object.keys(all).length < MAX_LABELS) all[name] = value;
  return all;
}
