/** A command line says what it costs that it has another version than its control plane. */
import t from 'tap';
import { VERSION } from '../../version.ts';
import type { Io } from '../io.ts';
import { tellVersions } from './versions.ts';

function warningBeside(theirs: string): string {
  const lines: string[] = [];
  tellVersions({ err: { write: (text: string) => lines.push(text) } } as unknown as Io, theirs);
  return lines.join('');
}

t.test('of the same version nothing is said', async (t) => {
  t.equal(warningBeside(VERSION), '');
});

t.test('which is older, and what to install', async (t) => {
  t.match(
    warningBeside('99.0.0'),
    /^This carillon \(\S+\) is older than the control plane \(99.0.0\): it refuses .* Install its version\.\n$/,
  );
  t.match(
    warningBeside('0.0.1'),
    /is newer than the control plane \(0.0.1\): the control plane refuses .* Upgrade the control plane/,
  );
  t.notMatch(warningBeside('99\u001b[2J'), '\u001b', 'a control plane does not write on the terminal');
});
