/** SIPp is reported as up when it listens, not when it has opened its first file. */
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { startSipp } from './sipp.ts';

/** A host that stops SIPp between its first file and its socket: for longer than two looks at its folder. */
const STALLED = `#!/bin/sh
echo 'CurrentTime;ElapsedTime;0_INVITE_Recv' >uas_0_counts.csv
sleep 1
rm uas_0_counts.csv
PATH="\${PATH#*:}" exec sipp "$@"
`;

/** The kernel's list names the port of 127.0.0.1. */
const isBound = (port: number): boolean =>
  readFileSync('/proc/net/udp', 'latin1').includes(`0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `);

t.test('a stalled SIPp', async (t) => {
  const bin = t.testdir({ sipp: '' });
  await writeFile(path.join(bin, 'sipp'), STALLED);
  await chmod(path.join(bin, 'sipp'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${bin}:${before}`;
  t.teardown(() => {
    process.env['PATH'] = before;
  });
  const sipp = await startSipp({ address: '127.0.0.1', scenario: { builtIn: 'uas' } });
  t.ok(isBound(sipp.port), 'it listens');
  const { exit } = await sipp.end();
  t.equal(exit, 'SIGKILL', 'it was still up');
});
