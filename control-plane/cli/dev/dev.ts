/** `carillon dev`: runs a test of a project's file here and now, without an account. */

import { access } from 'node:fs/promises';
import { Closers } from '@carillon/proto/base/closers.ts';
import { plain } from '@carillon/proto/base/plain-text.ts';
import { EXIT, type ExitCode, usage } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { DEFAULT_FILE } from '../project/default-file.ts';
import { readProjectFile, type WrittenProject } from '../project/file.ts';
import { initCommand } from '../project/import.ts';
import { compare, perform } from '../project/plan.ts';
import { Writer } from '../project/writes.ts';
import { prepare, type RunOptions, runPrepared } from '../run/run.ts';
import { REGION, startLocal } from './local.ts';
import { programs } from './programs.ts';

export type DevOptions = RunOptions & { readonly test?: string; readonly policy?: string };

export async function devCommand(io: Io, file: string | undefined, options: DevOptions): Promise<ExitCode> {
  const prepared = await prepare(options);
  const out = options.json ? io.err : io.out;
  programs();
  const isThere = await access(DEFAULT_FILE).then(
    () => true,
    () => false,
  );
  if (file === undefined && !isThere) await initCommand({ ...io, out: out });
  const written = await readProjectFile(file ?? DEFAULT_FILE, io.env);
  const here = ofThisHost(written, options.test);
  const closers = new Closers();
  try {
    const beganMs = performance.now();
    out.write('Starting PostgreSQL, a control plane and an agent ...\n');
    const api = await startLocal(io, closers, {
      project: here.project.slug,
      ...(options.policy !== undefined && { policy: options.policy }),
      ...(staysHere(here) && { address: '127.0.0.1' }),
    });
    const { changes, server: known } = await compare(io, api, here, false);
    await perform(new Writer(api, here, known), changes, () => undefined);
    out.write(`Ready after ${((performance.now() - beganMs) / 1000).toFixed(1)} s.\n\n`);
    const [test] = here.project.tests;
    return await runPrepared(io, api, (test as { slug: string }).slug, { ...options, wait: true }, prepared);
  } catch (error) {
    if (!io.ending.aborted) throw error;
    io.err.write('Ended before there was a result.\n');
    return EXIT.ABORTED;
  } finally {
    await closers.close();
  }
}

/** The test runs on the only worker; probes and notifications are off. */
function ofThisHost(written: WrittenProject, reference: string | undefined): WrittenProject {
  const { tests } = written.project;
  const named = tests.filter((test) => reference === undefined || test.slug === reference || test.name === reference);
  const [test, other] = named;
  const slugs = tests.map(({ slug }) => plain(slug)).join(', ');
  if (test === undefined)
    throw usage(
      reference === undefined
        ? 'The file has no test.'
        : `The file has no test ${JSON.stringify(reference)}; it has ${slugs || 'none'}.`,
    );
  if (other !== undefined) throw usage(`The file has ${tests.length} tests (${slugs}): name one with --test.`);
  const groups = test.groups.map((group) => ({ ...group, placement: { mode: 'REGION' as const, region: REGION } }));
  return { ...written, project: { ...written.project, tests: [{ ...test, groups }], probes: [], webhooks: [] } };
}

const LOOPBACK = /^sips?:([^@]*@)?(127\.\d+\.\d+\.\d+|localhost)([:;?]|$)/i;

/** The target is on this host, so the agent must be too, whatever addresses the host has. */
function staysHere({ project: { registrars, tests } }: WrittenProject): boolean {
  const groups = tests.flatMap((test) => test.groups);
  const used = registrars.filter(({ slug }) => groups.some(({ registrar }) => registrar === slug));
  const called = groups.flatMap(({ callee }) =>
    callee.mode === 'EXTERNAL_URI' ? [callee.uri, ...(callee.uris ?? [])] : [],
  );
  return [...used.flatMap((r) => [r.uri, r.outboundProxyUri ?? r.uri]), ...called].every((uri) => LOOPBACK.test(uri));
}
