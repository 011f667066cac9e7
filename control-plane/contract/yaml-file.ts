/**
 * Reads a checked file from YAML text. Every error names its path and its line. Pure: it gets text and variables, and returns a
 * file or errors.
 */
import { type Document, isNode, LineCounter, parseDocument, stringify } from 'yaml';
import type * as z from 'zod';
import { printPath } from './errors.ts';

/** `path` is written as in JavaScript: `organizations[0].plan`; `line` counts from 1. */
export type FileIssue = { readonly path: string; readonly line: number; readonly message: string };

/** The file is invalid, and nothing was applied. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly issues: readonly FileIssue[];
  constructor(fileName: string, issues: readonly FileIssue[]) {
    const lines = issues.map((i) => `  ${fileName}:${i.line} ${i.path || '(file)'}: ${i.message}`);
    super(`${fileName} cannot be applied:\n${lines.join('\n')}`);
    this.issues = issues;
  }
}

type Path = readonly PropertyKey[];

/** A rule between parts of the file is violated at `path`. */
export type FileFault = { readonly path: Path; readonly message: string };

/** The file is valid, but conflicts with existing data. Nothing was applied. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
  readonly faults: readonly FileFault[];
  constructor(faults: readonly FileFault[]) {
    super(faults.map((f) => `${printPath(f.path)}: ${f.message}`).join('; '));
    this.faults = faults;
  }
}

/** The same faults, with line numbers of the file. */
export function inFile(text: string, name: string, { faults }: NotApplicable): FileError {
  const { lineOf } = readYaml(text, name);
  return new FileError(
    name,
    faults.map(({ path, message }) => ({ path: printPath(path), line: lineOf(path), message })),
  );
}

export type FileRules<T> = {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Checks the rules between parts. */
  readonly check?: (file: T) => readonly FileFault[];
  /** Changes the file before texts `env:NAME` are replaced. */
  readonly prepare?: (plain: unknown) => unknown;
  /** The variables for texts `env:NAME`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
};

export type YamlText = { readonly plain: unknown; readonly lineOf: (path: Path) => number };

/** @throws FileError if it is not YAML */
export function readYaml(text: string, name: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new FileError(
      name,
      document.errors.map((e) => ({ path: '', line: lines.linePos(e.pos[0]).line, message: e.message })),
    );
  }
  try {
    return { plain: document.toJS({ maxAliasCount: 100 }), lineOf: (path) => lineOf(document, lines, path) };
  } catch (error) {
    throw new FileError(name, [{ path: '', line: 1, message: (error as Error).message }]);
  }
}

export const printYaml = (value: unknown): string => stringify(value, { lineWidth: 100 });

/** @throws FileError with all errors, not only the first */
export function parseYamlFile<T>(text: string, { name, schema, check, prepare, environment = {} }: FileRules<T>): T {
  const { plain, lineOf } = readYaml(text, name);
  const issues: FileIssue[] = [];
  const complain = (path: Path, message: string) => issues.push({ path: printPath(path), line: lineOf(path), message });
  const resolved = resolveEnvironment((prepare ? prepare(plain) : plain) ?? {}, environment, [], complain);
  const parsed = schema.safeParse(resolved);
  if (parsed.success && issues.length === 0) {
    for (const { path, message } of check?.(parsed.data) ?? []) complain(path, message);
    if (issues.length === 0) return parsed.data;
  }
  const named = new Set(issues.map((i) => i.path));
  for (const issue of parsed.error?.issues ?? []) {
    if (!named.has(printPath(issue.path))) complain(issue.path, sentence(issue));
  }
  throw new FileError(name, issues);
}

/** What a valid file states, as it is written: with its variables, and without defaults. */
export const writtenIn = (
  text: string,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): unknown => resolveEnvironment(readYaml(text, name).plain ?? {}, environment, [], () => null);

/** Replaces every text `env:NAME` by the variable's value. */
function resolveEnvironment(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  path: Path,
  complain: (path: Path, message: string) => unknown,
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

/** The line of the node at `path`, or of the nearest node above it that exists. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
