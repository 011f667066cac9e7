/** `npm run doctor [-- --json]`: what a control plane with this environment lacks, and how to mend it. Exit code 1: it cannot work. */
import { parseArgs } from 'node:util';
import { type CheckResult, exitCodeOf, fail, ok, tableOf, warn } from '@carillon/proto/check-result.ts';
import { type Config, readConfig } from '../config.ts';
import { installMessages } from '../contract/plain-issues.ts';
import { openFeaturePorts } from '../feature-ports.ts';
import { VERSION } from '../version.ts';
import { examineDatabase } from './doctor-database.ts';
import { examineDisk, examineSystemClock } from './doctor-host.ts';
import { examineReach } from './doctor-reach.ts';

async function examine(config: Config): Promise<CheckResult[]> {
  return [
    ok('version', VERSION),
    ok('settings', 'they can be read'),
    ...(await examineDatabase(config)),
    ...(await examineReach(config)),
    await examineMail(config),
    examineSystemClock(),
    await examineDisk(config),
  ];
}

async function examineMail(config: Config): Promise<CheckResult> {
  const check = 'mail';
  const { ports, close } = openFeaturePorts(config.environment);
  try {
    if (ports.mail === null) return ok(check, 'no server is set: invitations show their link instead');
    const fault = await ports.mail.check();
    return fault === null
      ? ok(check, 'the server accepts the log-in')
      : warn(check, fault, 'check SMTP_URL, and that this host may connect to it');
  } finally {
    close();
  }
}

installMessages();
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
let results: readonly CheckResult[];
try {
  results = await examine(readConfig(process.env));
} catch (error) {
  results = [fail('settings', (error as Error).message, 'docs/reference/environment.md has every variable')];
}
if (values.json) console.log(JSON.stringify(results, null, 2));
else for (const line of tableOf(results)) console.log(line);
process.exitCode = exitCodeOf(results);
