/** Runs chapters one after another over one installation, and then checks that no page did what no page may do. */
import type { Test } from 'tap';
import { enter, found } from './founded.ts';
import { type Chapter, type DashboardLab, openDashboardLab } from './lab.ts';

/** All, or those that `CHAPTER` names. */
export async function tell(t: Test, chapters: Readonly<Record<string, Chapter>>): Promise<void> {
  const asked = process.env['CHAPTER']?.split(',') ?? Object.keys(chapters);
  const unknown = asked.filter((name) => !(name in chapters));
  if (unknown.length > 0) throw new Error(`no chapter is called ${unknown}; there are ${Object.keys(chapters)}`);
  const lab = await openDashboardLab(t);
  await found(lab);
  for (const [name, chapter] of Object.entries(chapters)) if (asked.includes(name)) tellOne(t, lab, name, chapter);
  noFaults(t, lab);
}

/** A chapter has a browser profile and a project of its own, so that it needs nothing of others, and leaves them nothing. */
function tellOne(t: Test, lab: DashboardLab, name: string, chapter: Chapter): void {
  t.test(name, async (t) => {
    t.teardown(() => lab.leave());
    await enter(t, lab);
    await chapter(t, lab);
  });
}

export function noFaults(t: Test, lab: DashboardLab): void {
  t.test('what no page may do', async (t) => t.same(lab.faults(), []));
}
