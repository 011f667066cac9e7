import type { Output } from '../../contract/catalogue.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { completeConfig } from '../../domain/run/group/scenario.ts';
import type { Tx } from '../../store/db.ts';
import { countTests, findTest, listTests as list } from '../../store/project/tests.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';

const dated = <T extends { createdAt: Date; updatedAt: Date }>(row: T) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const listTests: Handler<'listTests'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, sort } = input;
  const found = await listed(input, await countTests(db, projectId), (w) => list(db, projectId, sort, w));
  return { ...found, rows: found.rows.map(dated) };
};

export const getTest: Handler<'getTest'> = ({ ports }, { projectId, testId }) =>
  testView(ports.database.db, projectId, testId);

export async function testView(tx: Tx, projectId: string, testId: string): Promise<Output<'getTest'>> {
  const { config: stored, ...test } = known('test', testId, await byId(testId, () => findTest(tx, projectId, testId)));
  const config = completeConfig(stored);
  return { ...dated(test), ...config, ...unions(config) };
}

/** The codecs and media of all groups (docs/decisions.md, Test detail). */
function unions({ groups }: TestConfig) {
  const tracks = groups.flatMap((g) => g.mediaTracks.map(({ kind, source }) => ({ kind, source })));
  const distinct = new Map(tracks.map((t) => [`${t.kind} ${t.source}`, t]));
  return {
    codecs: {
      audio: [...new Set(groups.flatMap((g) => g.audioCodecs))],
      video: [...new Set(groups.flatMap((g) => g.videoCodecs))],
    },
    media: [...distinct.values()],
  };
}
