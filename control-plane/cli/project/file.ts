/** A project's file, read and checked, with its secrets separated. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { openRegular, readRegular } from '@carillon/proto/base/files.ts';
import { ProjectFile } from '../../contract/project-file.ts';
import { FileError, parseYamlFile } from '../../contract/yaml-file.ts';
import { usage } from '../exit-codes.ts';
import type { Environment } from '../io.ts';
import { missingReferences } from './references.ts';
import { FileSecrets, withoutSecrets } from './secrets.ts';

export type WrittenProject = {
  readonly project: ProjectFile;
  readonly secrets: FileSecrets;
  /** The file of each recording, by the recording's name. */
  readonly recordings: ReadonlyMap<string, RecordingFile>;
};
export type RecordingFile = { readonly sha256: string; readonly read: () => Promise<Buffer> };

/** @throws Stop with path and line of all errors */
export async function readProjectFile(file: string, env: Environment): Promise<WrittenProject> {
  const text = await readRegular(file).catch((error: Error) => {
    throw usage(`${file} cannot be read: ${error.message}`);
  });
  const { project, secrets } = parseProject(text, file, env);
  const recordings = new Map<string, RecordingFile>();
  for (const media of project.mediaFiles)
    recordings.set(media.name, await recordingOf(path.resolve(path.dirname(file), media.file)));
  return { project, secrets, recordings };
}

export function parseProject(text: string, name: string, environment: Environment) {
  const secrets = new FileSecrets(environment);
  try {
    const prepare = (plain: unknown) => withoutSecrets(plain, secrets);
    return {
      project: parseYamlFile(text, { name, schema: ProjectFile, check: missingReferences, environment, prepare }),
      secrets,
    };
  } catch (error) {
    if (error instanceof FileError) throw usage(error.message.replace('cannot be applied', 'is not valid'));
    throw error;
  }
}

async function recordingOf(file: string): Promise<RecordingFile> {
  const read = () =>
    bytesOf(file).catch((error: Error) => {
      throw usage(`The recording ${file} cannot be read: ${error.message}`);
    });
  return {
    sha256: createHash('sha256')
      .update(await read())
      .digest('hex'),
    read,
  };
}

async function bytesOf(file: string): Promise<Buffer> {
  const handle = await openRegular(file);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
