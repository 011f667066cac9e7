/** YAML text -> checked provisioning file; every error names its path and its line. Pure: text and variables in, file or errors out. */
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { ProvisionFile } from './provision.ts';

/** `path` as in JavaScript: `organizations[0].plan`; `line` counts from 1. */
export type ProvisionIssue = { readonly path: string; readonly line: number; readonly message: string };

/** The file cannot be used; nothing of it is applied. */
export class ProvisionFileError extends Error {
  override readonly name = 'ProvisionFileError';
  readonly issues: readonly ProvisionIssue[];
  constructor(fileName: string, issues: readonly ProvisionIssue[]) {
    const lines = issues.map((i) => `  ${fileName}:${i.line} ${i.path || '(file)'}: ${i.message}`);
    super(`${fileName} cannot be applied:\n${lines.join('\n')}`);
    this.issues = issues;
  }
}

type Path = readonly PropertyKey[];

/** A rule between parts of the file is broken, and where. */
export type Fault = { readonly path: Path; readonly message: string };

/**
 * `check` knows the rules between parts.
 * @throws ProvisionFileError with all that is wrong, not just the first
 */
export function parseProvisionFile(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
  check: (file: ProvisionFile) => readonly Fault[] = () => [],
  fileName = 'provision.yaml',
): ProvisionFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new ProvisionFileError(
      fileName,
      document.errors.map((e) => ({ path: '', line: lines.linePos(e.pos[0]).line, message: e.message })),
    );
  }
  const issues: ProvisionIssue[] = [];
  const complain = (path: Path, message: string) =>
    issues.push({ path: printPath(path), line: lineOf(document, lines, path), message });
  let plain: unknown;
  try {
    plain = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ProvisionFileError(fileName, [{ path: '', line: 1, message: (error as Error).message }]);
  }
  const resolved = resolveEnvironment(plain ?? {}, environment, [], complain);
  const parsed = ProvisionFile.safeParse(resolved);
  if (parsed.success && issues.length === 0) {
    for (const { path, message } of check(parsed.data)) complain(path, message);
    if (issues.length === 0) return parsed.data;
  }
  const named = new Set(issues.map((i) => i.path));
  for (const issue of parsed.error?.issues ?? []) {
    if (!named.has(printPath(issue.path))) complain(issue.path, sentence(issue));
  }
  throw new ProvisionFileError(fileName, issues);
}

/** Replaces every text `env:NAME` by the variable's value. */
function resolveEnvironment(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  path: Path,
  complain: (path: Path, message: string) => void,
): unknown {
  if (typeof value === 'string' && value.startsWith('env:')) {
    const name = value.slice(4);
    const found = environment[name];
    if (found === undefined || found === '') complain(path, `the environment variable ${name} is not set`);
    return found ?? '';
  }
  if (Array.isArray(value))
    return value.map((item, i) => resolveEnvironment(item, environment, [...path, i], complain));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        resolveEnvironment(item, environment, [...path, key], complain),
      ]),
    );
  }
  return value;
}

const sentence = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys'
    ? `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.join(', ')}`
    : issue.message;

const printPath = (path: Path): string =>
  path.map((p, i) => (typeof p === 'number' ? `[${p}]` : `${i > 0 ? '.' : ''}${String(p)}`)).join('');

/** The line of the node at `path`, or of the nearest node above it that exists. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
