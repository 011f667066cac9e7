/** Files of the agent's folder that are written whole: a pipe in the place of their draft does not stop the agent. */
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { writeCalibration } from './calibrate/calibration.ts';
import { openIdentity } from './link/identity.ts';
import { Outbox, openOutbox } from './link/outbox.ts';
import { MinutesBook } from './policy/minutes.ts';
import { lockFolder, writeEnrollment } from './state-folder.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'carillon-drafts-'));
t.teardown(() => rmSync(dir, { recursive: true, force: true }));

const CALIBRATION = {
  ...{ at: '2026-01-01T00:00:00Z', build: 'b', hardware: 'h', adapter: 'a' },
  ...{ mediaThreads: 1, signallingThreads: 1, endpoints: 1, callsPerSecond: 1 },
};
const quiet = { error: () => undefined };
const withBatches = (): Outbox => {
  const outbox = new Outbox('before');
  for (const seconds of [1, 2]) outbox.append({ noise: [{ seconds }] });
  outbox.acknowledge(1);
  return outbox;
};

type Writer = {
  readonly file: string;
  readonly draft: string;
  write(folder: string, obstruct: () => void): Promise<unknown>;
};
const WRITERS: readonly Writer[] = [
  {
    ...{ file: 'minutes.json', draft: 'minutes.json.draft' },
    async write(folder, obstruct) {
      const book = await MinutesBook.open(folder, 0, quiet);
      book.minutes.spend(1);
      obstruct();
      await book.save();
    },
  },
  {
    ...{ file: 'agent.key.next', draft: 'agent.key.next.draft' },
    async write(folder, obstruct) {
      const identity = await openIdentity(folder);
      obstruct();
      identity.prepare();
    },
  },
  {
    ...{ file: 'calibration.json', draft: 'calibration.json.draft' },
    write(folder, obstruct) {
      obstruct();
      return writeCalibration(folder, CALIBRATION);
    },
  },
  {
    ...{ file: 'enrolment.json', draft: 'enrolment.json.draft' },
    write(folder, obstruct) {
      obstruct();
      return writeEnrollment(folder, { url: 'ws://127.0.0.1:9/agent/v1', ca: null });
    },
  },
  {
    ...{ file: 'enrolment.json', draft: 'enrolment.json' },
    write(folder, obstruct) {
      obstruct();
      return writeEnrollment(folder, { url: 'ws://127.0.0.1:9/agent/v1', ca: null });
    },
  },
  {
    ...{ file: 'agent.lock', draft: `agent.lock.${process.pid}` },
    write(folder, obstruct) {
      obstruct();
      return lockFolder(folder, 0);
    },
  },
  {
    ...{ file: 'outbox.json', draft: 'outbox.json.new' },
    write(folder, obstruct) {
      obstruct();
      return withBatches().save(folder);
    },
  },
  {
    ...{ file: 'outbox.json', draft: 'outbox.json.new' },
    async write(folder, obstruct) {
      await withBatches().save(folder);
      const outbox = await openOutbox(folder);
      obstruct();
      outbox.resume(1);
      if ((await openOutbox(folder)).id !== outbox.id) throw new Error('its new name is not on disk');
    },
  },
];

const WAYS: readonly (readonly [what: string, make: (draft: string) => void])[] = [
  ['a pipe', (draft) => void spawnSync('mkfifo', [draft])],
  ['the draft of a killed process', (draft) => writeFileSync(draft, 'x'.repeat(5000), { mode: 0o644 })],
  ['a link', (draft) => symlinkSync(path.join(dir, 'elsewhere'), draft)],
];

let n = 0;
for (const [what, make] of WAYS)
  for (const { file, draft, write } of WRITERS)
    t.test(`${what} in the place of ${draft}`, async (t) => {
      const folder = path.join(dir, `${n++}`);
      mkdirSync(folder);
      writeFileSync(path.join(dir, 'elsewhere'), 'as it was');
      await write(folder, () => make(path.join(folder, draft)));
      const found = lstatSync(path.join(folder, file));
      t.ok(found.isFile(), `${file} is a file`);
      t.equal(found.mode & 0o777, 0o600, 'for its owner only');
      t.notMatch(readFileSync(path.join(folder, file), 'utf8'), /xxx/);
      if (draft !== file) t.notOk(readdirSync(folder).includes(draft), 'no draft is left');
      t.equal(readFileSync(path.join(dir, 'elsewhere'), 'utf8'), 'as it was');
    });
