/**
 * `carillon-agent selftest` as an operator runs it: 13 impairments, each figure as configured, whatever the host does; on a
 * quiet host also within its interval.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import t from 'tap';
import { loadLibc } from '../../../agent/net/libc.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

type Outcome = { readonly code: number; readonly text: string };

const selftest = (...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['agent/main.ts', 'selftest', ...args],
      { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, text: stdout + stderr }),
    );
  });

type Interval = { low: number; high: number };
type Figure = { figure: string; injected: number; reported: number; interval: Interval | null; verdict: string };
type Report = {
  adapter: string;
  stamps: string;
  packets: number;
  host: { receiveDrops: number; tooNoisy: string[] };
  trials: { trial: { name: string }; figures: Figure[] }[];
  failures: number;
};

// Both adapters, in sequence: they measure.
const adapters = loadLibc() instanceof Error ? (['dgram'] as const) : (['ffi', 'dgram'] as const);
const reports = new Map<string, Outcome>();
for (const adapter of adapters)
  reports.set(
    adapter,
    await selftest(
      '--json',
      '--io',
      adapter,
      ...(adapter === 'ffi' ? ['--seconds', '12'] : ['--seconds', '4', '--streams', '4']),
    ),
  );
const table = await selftest('--seconds', '4', '--streams', '5');
const refused = await selftest('--io', 'tcp');

for (const [adapter, { code, text }] of reports)
  t.test(`each figure of 13 impairments is inside its interval over ${adapter}`, async (t) => {
    const report: Report = JSON.parse(text);
    t.match(report, { adapter, stamps: adapter === 'ffi' ? 'kernel' : 'user' });
    t.ok(report.trials.length >= 12);
    t.ok(report.packets > 1000);
    for (const { trial, figures } of report.trials)
      t.ok(
        figures.every(({ figure, interval }) => interval !== null || figure === 'burst ratio'),
        `${trial.name}: every figure has its interval, bar a burst ratio that rests on too little`,
      );
    for (const { trial, figures } of report.trials)
      for (const { figure, injected, reported, verdict } of figures)
        if (verdict !== 'inside' && report.host.tooNoisy.length > 0)
          t.comment(`${trial.name}: ${figure} ${reported}: ${verdict}, on a host too noisy`);
        else t.equal(verdict, 'inside', `${trial.name}: ${figure} ${injected} injected, ${reported} reported`);
    const of = (name: string, figure: string): number =>
      report.trials.find(({ trial }) => trial.name === name)!.figures.find((f) => f.figure === figure)!.reported;
    t.ok(of('loss 10 %', 'loss %') > 5 && of('jitter 20 ms, even', 'late %') > 2, 'and something was put in');
    t.ok(of('delay spikes', 'MOS-LQ') < of('nothing', 'MOS-LQ'));
    t.equal(code, report.failures === 0 ? 0 : 1);
    if (report.host.tooNoisy.length === 0) t.equal(report.failures, 0);
    t.comment(`host: ${report.host.tooNoisy.join('; ') || 'quiet'}, ${JSON.stringify(report.host)}`);
  });

t.test('the table says who measured, and on what host', async (t) => {
  for (const word of ['impairment', 'injected', 'reported', 'interval', 'verdict', 'one way, 80 ms late'])
    t.match(table.text, word);
  t.match(table.text, /Sockets: (ffi|dgram).*arrival times by the (kernel|process)/);
  t.match(table.text, /Host: packets left [\d.]+ ms late on average/);
});

t.test('a wrong option is refused with how it is to be called', async (t) => {
  t.equal(refused.code, 1);
  t.match(refused.text, /--io tcp is unknown\nUsage: carillon-agent selftest/);
});
