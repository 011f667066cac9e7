/**
 * Calls over WebSockets through a real Asterisk, as callers and as callees: registrations, hold, digits, reliable provisional
 * responses, session timers, media of browsers. It is skipped unless `CARILLON_TEST_ASTERISK` names the program.
 */
import { networkInterfaces } from 'node:os';
import t from 'tap';
import { Authority } from '../../../agent/testing/sip/certificates.ts';
import { openLab } from '../../peers/lab/lab.ts';
import { callsAmongAgents, callsTo, type MediaInput, type RegistrarInput } from '../../peers/lab/provision.ts';
import { freeSipPort, ownLoopback } from '../../peers/network/loopback.ts';
import { startAsterisk, WITHOUT_ASTERISK } from '../../peers/sip/asterisk.ts';

const CALLS = 3;
const DIGITS = '4711';
const PASSWORD = 'secret-of-all';

const EXTENSIONS = `
[phones]
exten => _[2-4]XXX,1,Dial(PJSIP/\${EXTEN},20)
exten => 9000,1,Answer()
 same => n,Echo()
exten => 9001,1,Progress()
 same => n,Wait(1)
 same => n,Answer()
 same => n,Read(HEARD,,${DIGITS.length},,1,5)
 same => n,Set(DB(heard/\${CALLERID(num)})=\${HEARD})
 same => n,Echo()
`;
const PHONE = `
[USER]
type=endpoint
context=phones
disallow=all
allow=ulaw
auth=USER
aors=USER
direct_media=no
100rel=peer_supported
timers=always
timers_sess_expires=90
media_address=ADDRESS
bind_rtp_to_media_address=yes
MORE
[USER]
type=auth
auth_type=userpass
username=USER
password=${PASSWORD}
[USER]
type=aor
max_contacts=1`;
const TRANSPORTS = ['ws', 'wss'].map((name) => `[${name}]\ntype=transport\nprotocol=${name}\nbind=ADDRESS`);

const SIGNALLING = { reliableProvisional: 'SUPPORTED', sessionTimer: { expiresSeconds: 90 } } as const;
const HELD: MediaInput = {
  signalling: SIGNALLING,
  actions: [
    { trigger: { on: 'ANSWERED', afterSeconds: 1 }, action: { do: 'HOLD' } },
    { trigger: { on: 'ANSWERED', afterSeconds: 2 }, action: { do: 'RESUME' } },
  ],
};
const BROWSER: MediaInput = { encryption: 'DTLS', ice: 'HOST' };
const users = (from: number): string[] => Array.from({ length: CALLS }, (_, i) => String(from + i));

t.test('over WebSockets through Asterisk', { skip: WITHOUT_ASTERISK }, async (t) => {
  const net = ownLoopback();
  const address = net.address(60);
  const [plain, secure] = [await freeSipPort(address), await freeSipPort(address)];
  const authority = new Authority('private authority');
  const { certificateFile, keyFile } = authority.issue('pbx', `IP:${address}`);
  const phones = [2000, 3000, 4000].flatMap(users).map((user) => {
    const more = user < '4000' ? '' : 'webrtc=yes';
    return PHONE.replaceAll('USER', user).replace('MORE', more);
  });
  // Asterisk names no loopback address to ICE, so it names this one instead of each of the host.
  const hosts = Object.values(networkInterfaces()).flatMap((all) => all?.filter((one) => !one.internal) ?? []);
  const pbx = await startAsterisk({
    'pjsip.conf': [...TRANSPORTS, ...phones].join('\n').replaceAll('ADDRESS', address),
    'extensions.conf': EXTENSIONS,
    'rtp.conf': ['[ice_host_candidates]', ...hosts.map((host) => `${host.address} => ${address}`)].join('\n'),
    'http.conf': `[general]\nenabled=yes\nbindaddr=${address}\nbindport=${plain}\ntlsenable=yes
tlsbindaddr=${address}:${secure}\ntlscertfile=${certificateFile}\ntlsprivatekey=${keyFile}\n`,
  });
  t.teardown(() => pbx.stop().finally(() => authority.remove()));

  const registrar = (slug: string, from: number, more: Partial<RegistrarInput> = {}): RegistrarInput => ({
    ...{ slug, name: slug, uri: `sip:${address}:${plain}`, protocol: 'WS', webSocketPath: '/ws', ...more },
    sipAccounts: users(from).map((username) => ({ username, password: PASSWORD })),
  });
  const overTls: Partial<RegistrarInput> = {
    ...{ uri: `sip:${address}:${secure}`, protocol: 'WSS' },
    tls: { verify: 'CUSTOM', ca: authority.certificate },
  };
  const shape = { endpoints: CALLS, durationSeconds: 4 };
  const typing: MediaInput = { signalling: SIGNALLING, dtmf: { digits: DIGITS } };
  const [echo, reads] = [`sip:9000@${address}`, `sip:9001@${address}`];
  const lab = await openLab(t, {
    net,
    provision: () => ({
      registrars: [registrar('plain', 2000), registrar('secure', 3000, overTls), registrar('web', 4000, overTls)],
      tests: [
        callsTo(echo, 'echo', { ...shape, registrar: 'secure', media: HELD }),
        callsTo(reads, 'digits', { ...shape, registrar: 'plain', media: typing }),
        callsTo(echo, 'browser', { ...shape, registrar: 'web', media: BROWSER }),
        callsAmongAgents('both', { ...shape, registrar: 'secure', media: HELD }, { registrar: 'plain' }),
        callsAmongAgents('browsers', { ...shape, registrar: 'plain', media: {} }, { registrar: 'web', media: BROWSER }),
      ],
    }),
  });
  /** A run in which every call was good, and how often each request was sent or received. */
  async function good(slug: string): Promise<{ id: string; requests: Record<string, number> }> {
    const run = await lab.runWhole(slug);
    t.match(run, { status: 'COMPLETED', callTiming: { totalCalls: CALLS, successCount: CALLS } }, slug);
    t.equal(run.summary.measured.mos, run.summary.totalStreams, 'each stream was heard');
    t.match(await pbx.ask('pjsip show contacts'), 'No objects found', 'each registration was removed');
    const requests = run.sipRequests.map(({ method, sent, received }) => [method, sent + received]);
    return { id: run.id, requests: Object.fromEntries(requests) };
  }
  // Each first REGISTER and INVITE is challenged; HOLD and RESUME are an INVITE each.
  t.match((await good('echo')).requests, { REGISTER: 3 * CALLS, INVITE: 4 * CALLS, BYE: CALLS });
  t.match((await good('digits')).requests, { PRACK: CALLS });
  t.equal((await pbx.ask('database show heard')).match(new RegExp(`: ${DIGITS}`, 'g'))?.length, CALLS);
  const both = await good('both');
  // Callees get an INVITE of Asterisk, and do as the callers do.
  t.match(both.requests, { INVITE: 7 * CALLS, PRACK: 2 * CALLS });
  const text = 'Session-Expires: 90;refresher=';
  const timed = await lab.call('listTestRunMessages', { projectId: lab.projectId, testRunId: both.id, text });
  t.ok(timed.rows.length >= 2 * CALLS, 'the sessions of both legs have a time');
  await good('browser');
  await good('browsers');
});
