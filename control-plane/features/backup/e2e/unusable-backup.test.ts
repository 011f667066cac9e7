/** `npm run restore` from paths that cannot be read: it ends with exit code 1 and one line, and has made nothing. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { at, FILES } from '../../../../scripts/e2e/install/unusable.ts';
import { startPeer } from '../../../../scripts/peers/process.ts';

const RESTORE = path.resolve(import.meta.dirname, '../commands/restore.ts');

let n = 0;

t.test('a backup that is none is refused before a database is started', async (t) => {
  for (const [what, target] of FILES.filter(([, , asNobody]) => !asNobody)) {
    const data = at(`restored-${n++}`);
    const peer = startPeer(process.execPath, [RESTORE, target ?? ''], {
      tied: true,
      env: { DATABASE_URL: '', CARILLON_DATA_DIR: data },
    });
    t.equal(await peer.exited, 1, `${what}: ${peer.output()}`);
    const isRead = what.startsWith('a file of the kernel');
    t.match(
      peer.output(),
      isRead ? /cannot be read|is not a complete backup/ : /^The backup \S+ cannot be read: /,
      what,
    );
    if (!isRead) t.notOk(existsSync(data), `${what}: no database`);
  }
});
