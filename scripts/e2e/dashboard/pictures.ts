/**
 * A picture of each page, wide and narrow, light and dark, against the approved one; and that a change is found which a person
 * would see. `PICTURES=approve` approves what is shown, `PICTURES=record` also asks an installation again for what is shown.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FEATURES } from '../../../control-plane/features.ts';
import { chartsAreDrawn } from '../../peers/referees/chromium.ts';
import type { Chapter } from './lab.ts';
import { type Blocks, blocksOf, differenceOf, readBlocks, writtenBlocks } from './pictures/blocks.ts';
import { ANOTHER_FONT, SEEN_CHANGES } from './pictures/changes.ts';
import { fileOf, PICTURED } from './pictures/pictured.ts';
import { record } from './pictures/record.ts';
import { described, kept, LOOKS, openStage, type Stage } from './pictures/stage.ts';

/** The features that were there when pictures were approved, one a line. */
const APPROVED_WITH = path.join(import.meta.dirname, 'pictures', 'features.txt');
const WIDTHS = LOOKS.map(({ width }) => width);

export const pictures: Chapter = async (t, lab) => {
  const asked = process.env['PICTURES'] ?? '';
  if (asked === 'record') await record(t, lab);
  const gone = readFileSync(APPROVED_WITH, 'utf8')
    .split('\n')
    .filter((name) => name !== '' && !(name in FEATURES));
  if (asked === '' && gone.length > 0) {
    t.comment(`approved with ${gone}, whose parts of pages are gone: npm run pictures`);
    return;
  }
  const stage = await openStage(t, lab.controlPlane.url);
  const { page, drawer } = stage;
  for (const [name, pictured] of Object.entries(PICTURED))
    await t.test(name, async (t) => {
      await stage.show(pictured);
      if ((await page.locator('.chart').count()) > 0) t.ok(await chartsAreDrawn(page), 'each chart has a line');
      const approved = existsSync(fileOf(name)) ? await readBlocks(drawer, readFileSync(fileOf(name)), WIDTHS) : [];
      const shown: Blocks[] = [];
      for (const [n, look] of LOOKS.entries()) {
        const png = await stage.shoot(look);
        const blocks = await blocksOf(drawer, png);
        shown.push(blocks);
        const what = `${name}, ${look.size}, ${look.scheme}`;
        if (asked !== '') {
          t.comment(await kept(what, png));
          continue;
        }
        const difference = differenceOf(approved[n] ?? NOTHING, blocks);
        const words = difference && (await described(page, what, difference, png));
        t.notOk(words, words === null ? what : `${words}, or approve: npm run pictures`);
      }
      t.same(stage.faults(), []);
      if (asked !== '' && t.passing()) {
        await mkdir(path.dirname(fileOf(name)), { recursive: true });
        await writeFile(fileOf(name), await writtenBlocks(drawer, shown));
      }
    });
  if (asked !== '') await writeFile(APPROVED_WITH, `${Object.keys(FEATURES).join('\n')}\n`);
  await t.test('what a person would see', async (t) => {
    const before = await seen(stage);
    t.equal(differenceOf(before.blocks, (await seen(stage)).blocks), null, 'the same page again');
    t.equal(differenceOf(before.blocks, (await seen(stage, ANOTHER_FONT)).blocks), null, 'the font of another machine');
    for (const [change, [style, place]] of Object.entries(SEEN_CHANGES)) {
      const { blocks, png } = await seen(stage, style);
      const difference = differenceOf(before.blocks, blocks);
      t.match(difference && (await described(page, change, difference, png)), place, change);
    }
  });
};

const NOTHING: Blocks = { columns: 0, colours: [] };

/** The run's page, with another style. */
async function seen(stage: Stage, style = ''): Promise<{ readonly blocks: Blocks; readonly png: Buffer }> {
  await stage.show(PICTURED['project-runs-runId'] as (typeof PICTURED)[string]);
  if (style !== '') await stage.page.addStyleTag({ content: style });
  const png = await stage.shoot(LOOKS[0]);
  return { png, blocks: await blocksOf(stage.drawer, png) };
}
