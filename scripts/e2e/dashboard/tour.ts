/**
 * `npm run tour`: the tour of the project's README and the pictures of the guide. The real browser draws them from what a real
 * installation answered (`pictures/answers.json`). Without TOUR=make the chapter does nothing: what it writes is part of the
 * repository.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { chartsAreDrawn } from '../../peers/referees/chromium.ts';
import type { Chapter } from './lab.ts';
import { PICTURED } from './pictures/pictured.ts';
import { LETTERS, openStage } from './pictures/stage.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const TOUR = path.join(ROOT, 'control-plane/dashboard/pictures/tour.png');
const GUIDE = path.join(ROOT, 'docs/guide');
const SIZE = { width: 1120, height: 700 };
const SECONDS_A_FRAME = 4;
/** Few colours are enough for a page, and make small files. */
const PALETTE = 'split[a][b];[a]palettegen=max_colors=96:stats_mode=full[p];[b][p]paletteuse=dither=none';

type Frame = {
  readonly caption: string;
  /** The name of its page's picture. */
  readonly of: string;
  /** What is done on the page. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Its file in the guide, if the guide has it. */
  readonly guide?: string;
};

const FRAMES: readonly Frame[] = [
  { caption: 'A project: its tests, its probes, its agents', of: 'project' },
  {
    caption: 'An agent is enrolled: one command on a host of yours',
    of: 'workers',
    act: async (page) => {
      await page.getByRole('button', { name: 'Enroll an agent' }).click();
      await page.getByLabel('Name').fill('berlin-2');
    },
  },
  {
    caption: 'A test from a template, and what it comes to',
    of: 'project-tests-new',
    guide: 'new-test.png',
    act: async (page) => {
      await page.getByRole('button', { name: /^Trunk load/ }).click();
      await page.getByText('1,200 calls').or(page.getByText('10 calls per second')).first().waitFor();
    },
  },
  {
    caption: 'The run: what callers heard, and whether the figures can be trusted',
    of: 'project-runs-runId',
    guide: 'run-page.png',
    act: (page) => chartsAreDrawn(page),
  },
  {
    caption: 'And how it went, second by second',
    of: 'project-runs-runId',
    act: async (page) => {
      await chartsAreDrawn(page);
      await page.evaluate("document.querySelector('.chart').scrollIntoView({ block: 'center' })");
    },
  },
  { caption: 'Failures, by their cause', of: 'project-run-failed' },
  {
    caption: 'A failed call, message by message',
    of: 'project-run-failed-endpoint',
    guide: 'ladder.png',
    act: (page) => page.evaluate("document.querySelector('.ladder').scrollIntoView({ block: 'center' })"),
  },
  { caption: 'A probe places a call around the clock', of: 'project-probes-probeId', guide: 'probe.png' },
  {
    caption: 'Its incident says what happened, and since when',
    of: 'project-probes-probeId-incidents-incidentId',
    guide: 'incident.png',
  },
];

export const tour: Chapter = async (t, lab) => {
  if (process.env['TOUR'] !== 'make') return;
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-tour-'));
  t.teardown(() => rm(dir, { recursive: true }));
  const stage = await openStage(t, lab.controlPlane.url, LETTERS);
  const { page } = stage;
  for (const [n, { caption, of, act, guide }] of FRAMES.entries()) {
    await stage.show(PICTURED[of] as (typeof PICTURED)[string]);
    await page.setViewportSize(SIZE);
    await act?.(page);
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    const png = path.join(dir, `${n}.png`);
    if (guide) {
      await writeFile(png, await page.screenshot());
      await encoded(['-i', png], path.join(GUIDE, guide));
    }
    await page.evaluate(`(${CAPTION})(${JSON.stringify(`${n + 1}. ${caption}`)})`);
    await writeFile(png, await page.screenshot());
  }
  await encoded(['-framerate', `1/${SECONDS_A_FRAME}`, '-i', path.join(dir, '%d.png')], TOUR, [
    '-plays',
    '0',
    '-f',
    'apng',
  ]);
  stage.faults();
  t.pass(`${FRAMES.length} frames`);
};

async function encoded(input: readonly string[], file: string, how: readonly string[] = []): Promise<void> {
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...input, '-vf', PALETTE, ...how, file]);
}

const CAPTION = `(text) => {
  const bar = document.createElement('div');
  bar.textContent = text;
  Object.assign(bar.style, { position: 'fixed', left: 0, right: 0, bottom: 0, zIndex: 9999, padding: '14px 24px',
    background: '#1b2030', color: '#fff', fontSize: '21px', fontWeight: 600 });
  document.body.append(bar);
}`;
