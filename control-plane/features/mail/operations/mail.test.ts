/** Mail about incidents, to a real SMTP server. */

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Secret } from '@carillon/proto/base/secret.ts';
import { SMTPServer } from 'smtp-server';
import t from 'tap';
import { readConfig } from '../../../config.ts';
import { announce } from '../../../operations/notify/announce.ts';
import { retain } from '../../../operations/retain.ts';
import { EDITOR, openApi } from '../../../testing/api.ts';
import { openMail } from '../courier/smtp.ts';

const { world, ask, projectId, heard } = await openApi(t);
const { ports, database } = world;
const lab = `/projects/${projectId}`;

type Taken = { readonly from: string; readonly to: string[]; readonly text: string; readonly user: string | undefined };
const taken: Taken[] = [];
/** The server's answer to the next mail; null: it accepts it. */
const refuse: { with: { code: number; message: string } | null } = { with: null };
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    password === 'mail-password' ? done(null, { user: username }) : done(new Error('wrong password')),
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const { with: refusal } = refuse;
      if (refusal) return done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
      const { mailFrom, rcptTo } = session.envelope;
      taken.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map((one) => one.address),
        text: Buffer.concat(chunks).toString(),
        user: session.user,
      });
      done();
    });
  },
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
t.teardown(() => new Promise<void>((done) => server.close(() => done())));
const { port } = server.server.address() as AddressInfo;
const smtpUrl = new Secret(`smtp://carillon:mail-password@127.0.0.1:${port}`);
const mail = openMail({ smtpUrl, from: 'Carillon <watch@carillon.example>' });
t.teardown(() => mail.close());
const { organizationId } = await database.db
  .selectFrom('projects')
  .where('id', '=', projectId)
  .select('organization_id as organizationId')
  .executeTakeFirstOrThrow();

const tell = (probeName = 'Front door (berlin)') =>
  database.transaction((tx) => {
    const at = ports.now();
    const incident = { probeId: 'p', probeName, region: 'berlin', incidentId: 'i', severity: 'DOWN' as const };
    const data = {
      ...incident,
      reason: 'No audio came.',
      startedAt: at.toISOString(),
      firstFailedAt: null,
      testRunId: 'r',
    };
    return announce(ports, tx, { kind: 'incident.opened', organizationId, projectId, at, data });
  });

t.jobs = 1;

t.test('without a mail server nothing is sent, and the settings say so', async (t) => {
  const set = await ask('PATCH', `${lab}/mail`, { recipients: ['night@acme.example', 'day@acme.example'] });
  t.match(set, { status: 200, etag: '"1"', data: { isConfigured: false, lastMails: [] } });
  await tell();
  await world.work();
  t.same((await ask('GET', `${lab}/mail`)).data.lastMails, []);
  Object.assign(ports, { mail });
});

t.test('each recipient gets a separate mail', async (t) => {
  await tell('Front door (berlin)\r\nBcc: everybody@acme.example');
  await world.work();
  t.same(
    taken.map(({ to }) => to),
    [['night@acme.example'], ['day@acme.example']].sort(() => (taken[0]?.to[0] === 'day@acme.example' ? -1 : 1)),
  );
  const [{ from, text, user }] = taken as [Taken];
  t.same([from, user], ['watch@carillon.example', 'carillon']);
  t.match(text, /^Subject: \[Carillon\] Front door \(berlin\) Bcc: everybody@acme\.example/m);
  t.notMatch(text, /^Bcc:/m, 'nothing in a name becomes a header');
  t.match(text, /^Auto-Submitted: auto-generated\r$/m);
  t.match(text, /^Message-ID: <[0-9a-f-]{36}@carillon\.example>\r$/m);
  t.match(text, /^Severity: +Down\r$/m);
  const { lastMails } = (await ask('GET', `${lab}/mail`)).data;
  t.match(lastMails, [
    { event: 'incident.opened', status: 'DELIVERED', attempts: 1, error: null },
    { event: 'incident.opened', status: 'DELIVERED' },
  ]);
});

t.test('a mail shows the brand of the organization, and its logo comes with it', async (t) => {
  const { hooks } = ports;
  const logo = { bytes: Buffer.from('\x89PNG of Acme'), widthPx: 30, heightPx: 20 };
  const brand = async (_: unknown, id: string) =>
    id === organizationId ? { name: 'Acme <b>', isNameShown: true, logo, colours: null } : null;
  Object.assign(ports, { hooks: [...hooks.map(({ brand: _, ...others }) => others), { brand }] });
  taken.length = 0;
  await tell('Front <door>');
  await world.work();
  const [{ text }] = taken as [Taken];
  t.match(text, /^Subject: \[Acme <b>\] Front <door>/m);
  t.match(text, /^Content-Type: multipart\/alternative/m);
  t.match(text, /^Content-ID: <logo>\r$/m);
  t.match(text, /^Content-Disposition: inline/m);
  t.ok(text.includes(logo.bytes.toString('base64')));
  t.match(text, /^Probe: +Front <door>\r$/m, 'the text is as without a brand');
  t.match(text, /Acme &lt;b&gt;<\/b>/);
  Object.assign(ports, { hooks });
});

t.test('a server that is busy is asked again, one that refuses is not', async (t) => {
  await ask('PATCH', `${lab}/mail`, { recipients: ['night@acme.example'] });
  taken.length = 0;
  refuse.with = { code: 451, message: 'greylisted' };
  await tell();
  await world.work();
  const last = async () => (await ask('GET', `${lab}/mail`)).data.lastMails[0];
  t.match(await last(), { status: 'PENDING', attempts: 1, error: /greylisted/ });
  refuse.with = null;
  world.pass(6);
  await world.work();
  t.match(await last(), { status: 'DELIVERED', attempts: 2, error: null });
  t.equal(taken.length, 1);
  refuse.with = { code: 550, message: 'no such mailbox' };
  await tell();
  await world.work();
  t.match(await last(), { status: 'FAILED', attempts: 1, error: /no such mailbox/ });
  world.pass(86_400);
  await world.work();
  t.match(await last(), { attempts: 1 });
  refuse.with = null;
});

t.test('a mail whose server is gone has an end', async (t) => {
  refuse.with = { code: 451, message: 'greylisted' };
  await tell();
  await world.work();
  Object.assign(ports, { mail: null });
  world.pass(6);
  await world.work();
  const { lastMails } = (await ask('GET', `${lab}/mail`)).data;
  t.match(lastMails[0], { status: 'FAILED', attempts: 2, error: /no mail server any more/ });
  refuse.with = null;
  Object.assign(ports, { mail });
});

t.test('what was lost on its way is not waited for', async (t) => {
  const { id } = await database.db
    .selectFrom('announcements')
    .select('id')
    .orderBy('at', 'desc')
    .executeTakeFirstOrThrow();
  const retry_until = new Date(ports.now().getTime() + 86_400_000);
  const lost = { id: randomUUID(), announcement_id: id, project_id: projectId, recipient: 'a@b.example' };
  await database.db
    .insertInto('mails')
    .values({ ...lost, created_at: ports.now(), retry_until })
    .execute();
  const last = async () => (await ask('GET', `${lab}/mail`)).data.lastMails[0];
  world.pass(86_400);
  await retain(ports);
  t.match(await last(), { status: 'PENDING' });
  world.pass(3601);
  await retain(ports);
  t.match(await last(), { status: 'FAILED', error: /its last try is not known/ });
});

t.test('settings are versioned, checked, and the administrators’ own', async (t) => {
  const { etag } = await ask('GET', `${lab}/mail`);
  const body = { recipients: [] };
  t.match(await ask('PATCH', `${lab}/mail`, body, { headers: { 'if-match': '"99"' } }), { status: 412 });
  t.match(await ask('PATCH', `${lab}/mail`, body, { headers: { 'if-match': etag as string } }), { status: 200 });
  for (const recipients of [['nobody'], ['a@b.example', 'A@b.example'], ['a@b.example\nBcc: c@d.example']]) {
    t.equal((await ask('PATCH', `${lab}/mail`, { recipients })).status, 422, recipients.join());
  }
  t.equal((await ask('GET', `${lab}/mail`, undefined, EDITOR)).status, 403);
  t.same(
    heard.filter((line) => line.includes('mail-password')),
    [],
    'the password is neither logged nor answered',
  );
  const config = readConfig({ SMTP_URL: smtpUrl.reveal() });
  t.equal(config.environment.SMTP_URL?.reveal(), smtpUrl.reveal());
  t.notMatch(inspect(config, { depth: null }) + JSON.stringify(config), 'mail-password', 'nor shown');
});
