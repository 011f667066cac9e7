/**
 * What the API once answered the pages. Pictures are drawn from that, so that nothing in them depends on a run, a host or the
 * time of day. It is recorded over a real installation; its names and addresses are made plain.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { XSS } from '../lab.ts';

const FILE = path.join(import.meta.dirname, 'answers.json');

export type Answers = {
  /** The pages' present time: what they say of minutes ago stays. */
  readonly now: string;
  /** For their addresses. */
  readonly ids: Readonly<Record<string, string>>;
  /** JSON by path and query; log-in pages ask as somebody else. */
  readonly inside: Readonly<Record<string, unknown>>;
  readonly outside: Readonly<Record<string, unknown>>;
};

export const readAnswers = (): Answers => JSON.parse(readFileSync(FILE, 'utf8')) as Answers;

/** One answer a line, so that a change shows which ones are others. */
export function writeAnswers(answers: Answers): void {
  const lines = Object.entries(answers).map(([part, value]) => {
    if (typeof value === 'string') return `${JSON.stringify(part)}: ${plainText(JSON.stringify(value))}`;
    const entries = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map((entry) => entry.map((one) => plainText(JSON.stringify(one))).join(': '));
    return `${JSON.stringify(part)}: {\n${entries.join(',\n')}\n}`;
  });
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

/** Nobody's host, and none of the hostile names of other chapters. */
function plainText(json: string): string {
  const hostile = JSON.stringify(XSS).slice(1, -1);
  return json
    .replaceAll(` ${hostile}`, '')
    .replaceAll(hostile, 'Hamburg PBX')
    .replaceAll(hostname(), 'host-1')
    .replaceAll(/127\.\d+\.\d+\.(\d+)/g, '192.0.2.$1');
}

const API = '/api/v1';
const keyOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname.slice(API.length) + search;
};
const isApiAddress = (address: string): boolean => new URL(address).pathname.startsWith(`${API}/`);

/** Into `answers`, as long as the page is open. */
export function recordAnswers(page: Page, answers: Record<string, unknown>): void {
  page.on('response', async (response) => {
    if (!isApiAddress(response.url())) return;
    const text = await response.text().catch(() => '');
    if (text.startsWith('{')) answers[keyOf(response.url())] = { status: response.status(), ...JSON.parse(text) };
  });
}

/** Every request to the API gets its recorded answer; `onUnknown`: there is none. */
export const replayAnswers = (
  context: BrowserContext,
  answersOf: () => Readonly<Record<string, unknown>>,
  onUnknown: (what: string) => void,
): Promise<unknown> =>
  context.route(
    (address) => isApiAddress(address.href),
    async (route) => {
      const key = keyOf(route.request().url());
      const answer = answersOf()[key] as { readonly status: number } | undefined;
      if (answer === undefined) onUnknown(`${route.request().method()} ${key}`);
      const { status, ...json } = answer ?? { status: 404 };
      await route.fulfill({ status, json });
    },
  );
