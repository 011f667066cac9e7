/** REST as a client would use it; runs that a busy host does not spoil. */
import type { Page } from 'playwright-core';
import { until } from '../../peers/process.ts';

export type LabAsk = <T = { id: string }>(method: string, path: string, body?: object) => Promise<T>;

/** REST with the session of the user who is logged in on this page. */
export const askAs =
  (page: Page): LabAsk =>
  async (method, path, body) => {
    const { status, text } = await request(page, method, path, body);
    const { data } = JSON.parse(text) as { data?: unknown };
    if (data === undefined) throw new Error(`${method} ${path}: ${status} ${text}`);
    return data as never;
  };

/** The unchanged answer, whatever it is. */
export const request = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(`/api/v1${path}`, {
        method,
        headers: { 'x-carillon-dashboard': '1', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body }),
      });
      return { status: response.status, text: await response.text() };
    },
    [method, path, body ? JSON.stringify(body) : ''] as const,
  );

export type EndedRun = {
  readonly id: string;
  readonly status: string;
  readonly endedAt: string | null;
  readonly error: { readonly code: string } | null;
  /** null until it has ended. */
  readonly validity: { readonly verdict: string } | null;
};

const MAX_RUNS = 3;
/** A host that is busy: the agents were not ready in time, or their connection was lost. */
const COULD_NOT_START = ['WORKER_REFUSED', 'NO_ONLINE_WORKER'];
const couldNotStart = ({ error }: EndedRun): boolean => error !== null && COULD_NOT_START.includes(error.code);

/** `at`: the project. The id of the run. */
export const startRun = async (ask: LabAsk, at: string, testId: string, body: object = {}): Promise<string> =>
  (await ask<{ testRunId: string }>('POST', `${at}/tests/${testId}/run`, body)).testRunId;

/**
 * A run that has ended. If a busy host has prevented it, or has made its figures void, it is deleted, and `begin` starts another,
 * a few times at most: who asserts figures looks at the verdict of the last.
 */
export const endedRun = (ask: LabAsk, at: string, begin: () => Promise<string>): Promise<EndedRun> =>
  repeated(ask, at, begin, ({ endedAt }) => endedAt !== null);

/** The same for a run that goes on. */
export const runningRun = (ask: LabAsk, at: string, begin: () => Promise<string>): Promise<EndedRun> =>
  repeated(ask, at, begin, ({ status, endedAt }) => status === 'RUNNING' || endedAt !== null);

async function repeated(
  ask: LabAsk,
  at: string,
  begin: () => Promise<string>,
  isThere: (run: EndedRun) => boolean,
): Promise<EndedRun> {
  for (let runs = 1; ; runs++) {
    const path = `${at}/test-runs/${await begin()}`;
    const run = await until(
      'the run starts, and ends',
      async () => {
        const now = await ask<EndedRun>('GET', path);
        return isThere(now) ? now : undefined;
      },
      { everyMs: 250 },
    );
    const isDisturbed = couldNotStart(run) || run.validity?.verdict === 'VOID';
    if (!isDisturbed || runs === MAX_RUNS) return run;
    await ask('DELETE', path);
  }
}

/** Clicks that start a run, and show its page; its id. */
export async function runByClicks(page: Page, click: () => Promise<unknown>): Promise<string> {
  const before = page.url();
  await click();
  await page.waitForURL((url) => /\/runs\/[\w-]{36}$/.test(url.pathname) && url.href !== before);
  return new URL(page.url()).pathname.slice(-UUID_LENGTH);
}

const UUID_LENGTH = 36;
