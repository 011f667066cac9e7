/** What the check of a Citus cluster says, and how to mend it. */
import t from 'tap';
import type { CitusTables } from '../store/distribution.ts';
import { findingsOf } from './findings.ts';

const table = (name: string, group: number | null = 7) => ({ name, group, shards: group === null ? 0 : 32 });
const node = (more: object = {}) => ({ address: 'one:5432', isActive: true, isForShards: true, shards: 64, ...more });
const WELL: CitusTables = { version: '13.2-1', tables: [table('endpoints'), table('noise')], nodes: [node()] };

t.test('what is seen, and what is told of it', async (t) => {
  const rows: readonly [string, Partial<CitusTables>, wrong: RegExp | null, cure: RegExp | null][] = [
    ['all is well', {}, null, null],
    ['no extension', { version: null }, /FAIL extension/, /shared_preload_libraries.*mend it/],
    ['no schema', { tables: [] }, /FAIL measured tables.*none yet/, /mend it/],
    [
      'nothing is distributed, so no node has anything',
      { tables: [table('noise', null)], nodes: [node({ shards: 0 })] },
      /FAIL measured tables.*noise/,
      /mend it/,
    ],
    ['a new table', { tables: [table('endpoints'), table('new', null)] }, /FAIL.*alone: new$/, /mend it/],
    [
      'tables of another group',
      { tables: [table('endpoints'), table('noise', 8)] },
      /FAIL.*: noise$/,
      /undistribute_table/,
    ],
    ['a node that was just added', { nodes: [node({ shards: 0 })] }, /WARN node one:5432/, /citus_rebalance_start/],
    ['a coordinator without shards', { nodes: [node({ shards: 0, isForShards: false })] }, null, null],
    ['a node that is away', { nodes: [node({ isActive: false })] }, /FAIL node one:5432/, /citus_activate_node/],
  ];
  for (const [what, more, wrong, cure] of rows) {
    const told = findingsOf({ ...WELL, ...more }, 'mend it').filter(({ state }) => state !== 'OK');
    t.equal(told.length, wrong === null ? 0 : 1, what);
    if (wrong) t.match(told.map(({ state, check, said }) => `${state} ${check}: ${said}`).join(), wrong, what);
    if (cure) t.match(told[0]?.cure, cure, what);
  }
});
