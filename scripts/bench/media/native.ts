/** The benchmark's C++ programs (native/): compiled on demand, if g++ is available. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type NativePrograms = { readonly ruler: string; readonly plainLoop: string; readonly compiler: string };

/** Paths of the programs, in a separate folder; a sentence if they cannot be built. */
export function compileNative(): NativePrograms | string {
  const version = spawnSync('g++', ['--version'], { encoding: 'utf8' });
  if (version.status !== 0) return 'no g++ here (apt-get install g++)';
  const folder = mkdtempSync(path.join(tmpdir(), 'carillon-native-'));
  const compile = (name: string): string => {
    const program = path.join(folder, name);
    const source = path.join(import.meta.dirname, 'native', `${name}.cc`);
    const { status, stderr } = spawnSync('g++', ['-O2', '-pthread', '-o', program, source], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`g++ ${source}:\n${stderr}`);
    return program;
  };
  return { ruler: compile('ruler'), plainLoop: compile('plain-loop'), compiler: version.stdout.split('\n')[0]! };
}
