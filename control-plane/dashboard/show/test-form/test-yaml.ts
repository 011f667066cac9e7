/**
 * Converts a test to the format of the provisioning file and back. Other things are named by their slugs and names instead of
 * ids. Things without a known name keep their ids, and ids may be written instead of names, so nothing is lost. The server checks
 * the contents; its errors are shown by line.
 */
import { hasBuildup } from '@carillon/proto/load/shapes/shapes.ts';
import { RequestFailed } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { printPath, readPath } from '../../../contract/errors.ts';
import {
  DEFAULT_GROUP,
  DEFAULT_SUB_POPULATION,
  DEFAULT_TEST,
  DEFAULT_TRACK,
} from '../../../contract/test-settings/defaults.ts';
import { FileError, printYaml, readYaml, type YamlText } from '../../../contract/yaml-file.ts';
import type { Names, TestBody } from './written-test.ts';

type Test = Output<'getTest'>;
export type YamlFault = { readonly line: number; readonly path: string; readonly message: string };
// biome-ignore lint/suspicious/noExplicitAny: what somebody wrote, before the server has judged it
type Any = any;

/** The field of requests, its name in the file, and the kind of names it has. */
const FIELDS: readonly (readonly [string, string, keyof Names])[] = [
  ['registrarId', 'registrar', 'registrars'],
  ['workerIds', 'workers', 'workers'],
  ['sipAccountIds', 'sipAccounts', 'accounts'],
  ['mediaFileId', 'mediaFile', 'mediaFiles'],
];

/** The values that the file may leave out. */
const PLAIN: Readonly<Record<string, unknown>> = {
  ...DEFAULT_GROUP,
  ...DEFAULT_SUB_POPULATION,
  ...DEFAULT_TRACK,
  ...DEFAULT_GROUP.expectations,
};
const PLAIN_SIGNALLING: Readonly<Record<string, unknown>> = DEFAULT_GROUP.signalling;
const isLeftOut = (key: string, value: unknown): boolean =>
  value === undefined ||
  value === (PLAIN[key] ?? null) ||
  (Array.isArray(value) && value.length === 0 && key !== 'mediaTracks');

const withNames = (value: Any, names: Names): Any => {
  if (Array.isArray(value)) return value.map((item) => withNames(item, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, item]) => {
      if (key === 'id' || isLeftOut(key, item)) return [];
      const [, name, kind] = FIELDS.find(([field]) => field === key) ?? [];
      if (key === 'expectations' && Object.entries(item as object).every(([k, v]) => isLeftOut(k, v))) return [];
      if (name === undefined || kind === undefined) return [[key, withNames(item, names)]];
      const ids = [item].flat() as string[];
      if (!ids.every((id) => names[kind].has(id))) return [[key, item]];
      const found = ids.map((id) => names[kind].get(id));
      return [[name, Array.isArray(item) ? found : found[0]]];
    }),
  );
};

const isUsualBreaker = (breaker: Test['breaker']): boolean =>
  JSON.stringify(breaker) === JSON.stringify(DEFAULT_TEST.breaker);

export function yamlOf(test: Test, names: Names): string {
  const groupNames = new Map(test.groups.map((g) => [g.id, g.name]));
  const groups = test.groups.map(({ signalling, callee, ...group }) => {
    const said = Object.fromEntries(
      Object.entries(signalling ?? {}).filter(([key, value]) => value !== PLAIN_SIGNALLING[key]),
    );
    return {
      ...withNames({ name: group.name, registrarId: group.registrarId }, names),
      callee: callee.mode === 'GROUP' ? { mode: 'GROUP', group: groupNames.get(callee.groupId) } : callee,
      ...withNames(group, names),
      ...(Object.keys(said).length > 0 && { signalling: said }),
    };
  });
  const { slug, name, description, buildup, durationSeconds, maxExecutionSeconds, load, breaker, abortOn, thresholds } =
    test;
  return printYaml({
    ...(slug && { slug }),
    name,
    ...(description && { description }),
    ...(hasBuildup(load) ? { buildup } : { load }),
    durationSeconds,
    ...(maxExecutionSeconds !== null && { maxExecutionSeconds }),
    ...(breaker !== undefined && !isUsualBreaker(breaker) && { breaker }),
    ...(abortOn && { abortOn }),
    ...(thresholds.length > 0 && { thresholds }),
    groups,
  });
}

type Read = { readonly body: TestBody; readonly yaml: YamlText } | { readonly faults: readonly YamlFault[] };

/** Names become ids. The server reports all other errors. */
export function readTest(text: string, names: Names): Read {
  const faults: YamlFault[] = [];
  try {
    const yaml = readYaml(text, 'test');
    if (yaml.plain === null || typeof yaml.plain !== 'object' || Array.isArray(yaml.plain))
      return {
        faults: [{ line: 1, path: '', message: 'a test is a YAML mapping with fields such as name and groups' }],
      };
    const say = (path: readonly PropertyKey[], message: string) =>
      faults.push({ line: yaml.lineOf(path), path: printPath(path), message });
    const body = withIds(yaml.plain, names, [], say);
    return faults.length > 0 ? { faults } : { body, yaml };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { faults: [...error.issues] };
  }
}

type ReportFault = (path: readonly PropertyKey[], message: string) => void;

function withIds(value: Any, names: Names, path: readonly PropertyKey[], say: ReportFault): Any {
  if (Array.isArray(value)) return value.map((item, i) => withIds(item, names, [...path, i], say));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => {
      const at = [...path, key];
      const [field, , kind] = FIELDS.find(([, name]) => name === key) ?? [];
      if (field === undefined || kind === undefined) return [key, withIds(item, names, at, say)];
      const ids = [item].flat().map((name) => {
        const id = [...names[kind]].find(([, known]) => known === name)?.[0];
        if (id === undefined) say(at, `there is no ${key.replace(/s$/, '')} "${String(name)}" in this project`);
        return id ?? '';
      });
      return [field, Array.isArray(item) ? ids : ids[0]];
    }),
  );
}

/** The server's errors, by line of the text. */
export const faultsOf = (error: Error | null, yaml: YamlText | null): YamlFault[] =>
  error instanceof RequestFailed && yaml
    ? error.details.map(({ path, message }) => {
        const named = readPath(path).map((key) => FIELDS.find(([field]) => field === key)?.[1] ?? key);
        return { line: yaml.lineOf(named), path: printPath(named), message };
      })
    : [];
