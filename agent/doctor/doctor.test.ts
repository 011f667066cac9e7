/** The meaning of the kernel's settings, by tables. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { readConfig } from '../config.ts';
import { type Policy, readPolicy } from '../policy/policy.ts';
import { side, turnUntil } from '../testing/sip/sides.ts';
import { clockSteps, openFiles, portsInUse, processorTime, reservedPorts, socketBuffers } from './kernel.ts';
import { examinePorts } from './ports.ts';
import { examineSipPath } from './sip-path.ts';

t.test('too low a limit of open files is a warning with the command', async (t) => {
  t.match(openFiles(4200, 1000), { state: 'OK' });
  t.match(openFiles(4199, 1000), { state: 'WARN', cure: /ulimit -n 4200/ });
  t.match(openFiles(Number.POSITIVE_INFINITY, 100_000), { state: 'OK', said: /unlimited/ });
});

t.test('too small a socket buffer is a warning with the command', async (t) => {
  t.match(socketBuffers('212992\n', '4194304\n'), [
    { state: 'WARN', cure: 'sysctl -w net.core.rmem_max=4194304' },
    { state: 'OK' },
  ]);
  t.match(socketBuffers(null, null), [{ state: 'UNKNOWN' }, { state: 'UNKNOWN' }]);
});

t.test('RTP ports and those of the kernel', async (t) => {
  const rtp = { from: 16_384, to: 32_767 };
  for (const [range, reserved, state, said] of [
    ['32768\t60999\n', '\n', 'OK', 'apart'],
    ['16384 60999', '', 'WARN', '16384-32767 of it'],
    ['1024 20000', '', 'WARN', '16384-20000 of it'],
    ['30000 60999', '16384-32767', 'OK', 'reserved'],
    ['30000 60999', '30000-31000', 'WARN', '31001-32767 of it'],
    ['30000 60999', '31001-32767,30000-31000', 'OK', 'reserved'],
    ['30000 60999', '5060,30001-32767', 'WARN', '30000-32767 of it'],
    [null, null, 'UNKNOWN', 'does not report'],
  ] as const) {
    t.match(reservedPorts(rtp, range, reserved), { state, said: new RegExp(said) }, `${range} less ${reserved}`);
  }
});

t.test('the share of used ports decides the state', async (t) => {
  const table = (ports: readonly number[]) =>
    [
      '  sl  local_address rem_address',
      ...ports.map((p, i) => `  ${i}: 0100007F:${p.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 07`),
    ].join('\n');
  const rtp = { from: 20_000, to: 20_009 };
  t.match(portsInUse(rtp, [table([20_000, 20_001, 19_999, 20_010]), null]), { state: 'OK', said: /^2 of 10/ });
  t.match(portsInUse(rtp, [table([20_000, 20_001, 20_002]), table([20_002, 20_003, 20_009])]), {
    state: 'WARN',
    said: /^5 of 10/,
  });
  t.match(portsInUse(rtp, [null, null]), { state: 'UNKNOWN' });
});

t.test('ports: what is taken, forbidden or of no use is told; what the agent itself has is no fault', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await once(udp, 'listening');
  t.teardown(() => {
    holder.close();
    udp.close();
  });
  const tcpPort = (holder.address() as AddressInfo).port;
  const policy = await readPolicy(null);
  const look = (environment: Record<string, string>, runs = false, owner: Policy | null = policy) =>
    examinePorts(
      readConfig({ CARILLON_SIP_ADDRESS: '127.0.0.1', CARILLON_METRICS_PORT: '0', ...environment }, 1),
      owner,
      runs,
    );
  t.match(await look({}), [
    { check: 'listening', state: 'OK' },
    { check: 'SIP address', state: 'OK', said: '127.0.0.1' },
    { check: 'SIP port', state: 'OK', said: '127.0.0.1:any' },
    { check: 'health port', state: 'OK' },
  ]);
  const all = {
    CARILLON_SIP_PORT: `${udp.address().port}`,
    CARILLON_SIP_TLS_PORT: `${tcpPort}`,
    CARILLON_METRICS_PORT: `${tcpPort}`,
    CARILLON_SIP_TLS_CERTIFICATE: '/nowhere.pem',
    CARILLON_SIP_TLS_KEY: '/nowhere.key',
  };
  t.match(await look(all, false, null), [
    { check: 'SIP port', state: 'FAIL', cure: /CARILLON_SIP_PORT/ },
    { check: 'SIP port (TLS)', state: 'FAIL', said: /EADDRINUSE/, cure: /CARILLON_SIP_TLS_PORT/ },
    { check: 'SIP certificate', state: 'FAIL', said: /ENOENT/ },
    { check: 'health port', state: 'FAIL', cure: /CARILLON_METRICS_PORT/ },
  ]);
  t.match(await look({ ...all, CARILLON_SIP_TLS_CERTIFICATE: '', CARILLON_SIP_TLS_KEY: '' }, true, null), [
    { check: 'SIP port', state: 'OK', said: /in use by the running agent/ },
    { check: 'SIP port (TLS)', state: 'OK' },
    { check: 'health port', state: 'OK' },
  ]);
  t.match(await look({}, false, { ...policy, listenAddresses: ['192.0.2.0/24'] }), [
    { check: 'listening', state: 'FAIL', said: /does not allow listening on 127\.0\.0\.1/ },
  ]);
  t.match((await look({}, false, { ...policy, targetNetworks: ['192.0.2.0/24'] }))[1], {
    check: 'SIP address',
    state: 'WARN',
    said: /does not allow calls to this address/,
    cure: /targetNetworks.*CARILLON_SIP_ADDRESS/,
  });
  const drachtio = (port: number) => look({ CARILLON_SIP_ENGINE: 'drachtio', CARILLON_DRACHTIO: `127.0.0.1:${port}` });
  t.match((await drachtio(tcpPort))[2], { check: 'drachtio-server', state: 'OK' });
  t.match((await drachtio(1))[2], { check: 'drachtio-server', state: 'FAIL', said: /ECONNREFUSED/ });
});

t.test('idle and stolen processor time, from two readings of /proc/stat', async (t) => {
  const stat = (...columns: number[]) => `cpu  ${columns.join(' ')} 0 0\ncpu0 1 2 3`;
  const before = stat(100, 0, 100, 1000, 0, 0, 0, 0);
  t.match(processorTime(before, stat(110, 0, 110, 1080, 0, 0, 0, 0), 2), [
    { check: 'processor', state: 'OK', said: /80 % idle on 2/ },
    { check: 'steal', state: 'OK', said: '0.0 %' },
  ]);
  t.match(processorTime(before, stat(180, 0, 115, 1000, 0, 0, 0, 5), 1), [
    { state: 'WARN', said: /^0 % idle/ },
    { state: 'WARN', said: /5\.0 %.*SUSPECT/ },
  ]);
  t.match(processorTime(before, stat(100, 0, 100, 1050, 0, 0, 0, 50), 1), [
    { state: 'OK' },
    { state: 'WARN', said: /VOID/ },
  ]);
  t.match(processorTime(null, null, 1), [{ state: 'UNKNOWN' }]);
});

t.test('a clock that is set', async (t) => {
  t.match([clockSteps(0.9), clockSteps(-4)], [{ state: 'OK' }, { state: 'OK' }]);
  t.match(clockSteps(250), { state: 'WARN', said: /set by -250 ms/ });
});

/** A UDP relay on the path to `port` that changes requests as `rewrite` says. */
async function relayTo(port: number, rewrite: (text: string) => string) {
  const [inside, outside] = [createSocket('udp4'), createSocket('udp4')];
  for (const one of [inside, outside]) {
    one.bind(0, '127.0.0.1');
    await once(one, 'listening');
  }
  let from = { port: 0, address: '' };
  inside.on('message', (bytes, sender) => {
    from = sender;
    outside.send(Buffer.from(rewrite(bytes.toString('latin1')), 'latin1'), port, '127.0.0.1');
  });
  outside.on('message', (bytes) => inside.send(bytes, from.port, from.address));
  return {
    target: `127.0.0.1:${inside.address().port}`,
    close: () => [inside, outside].forEach((one) => void one.close()),
  };
}

t.test('NAT and SIP ALG: another agent tells what it got', async (t) => {
  const far = await side();
  const config = readConfig({ CARILLON_SIP_ADDRESS: '127.0.0.1' });
  const { port } = far.engine.local;
  const looked = async (target: string, engines = [far]) => {
    const found: Awaited<ReturnType<typeof examineSipPath>>[] = [];
    void examineSipPath(config, target).then((all) => found.push(all));
    await turnUntil(() => found.length > 0, engines);
    return found[0] ?? [];
  };
  const straight = await looked(`127.0.0.1:${port}`);
  t.match(straight, [
    { check: 'NAT', state: 'OK' },
    { check: 'SIP ALG', state: 'OK', said: /unchanged/ },
  ]);

  const nat = await relayTo(port, (text) => text);
  t.teardown(() => nat.close());
  t.match(await looked(nat.target), [
    { check: 'NAT', state: 'WARN', cure: /symmetric RTP/ },
    { check: 'SIP ALG', state: 'OK' },
  ]);

  const alg = await relayTo(port, (text) =>
    text.replace(/^Contact: .*$/m, 'Contact: <sip:doctor@192.0.2.1:1024>').replace(/^c=.*$/m, 'c=IN IP4 192.0.2.1'),
  );
  t.teardown(() => alg.close());
  const found = await looked(alg.target);
  t.match(found[1], {
    check: 'SIP ALG',
    state: 'WARN',
    said: /Contact .*192\.0\.2\.1.*SDP c=/,
    cure: /nf_conntrack_sip/,
  });
  t.notMatch(found[1]?.said, /Via|Call-ID|SDP o=/, 'what was not changed is not blamed');

  const silent = createSocket('udp4');
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => void silent.close());
  silent.on('message', (bytes, { port, address }) => {
    const head = bytes
      .toString('latin1')
      .split('\r\n')
      .filter((line) => /^(?:Via|From|To|Call-ID|CSeq)/.test(line));
    silent.send(['SIP/2.0 200 OK', ...head, 'Content-Length: 0', '', ''].join('\r\n'), port, address);
  });
  t.match(await looked(`127.0.0.1:${silent.address().port}`), [{ state: 'UNKNOWN' }, { state: 'UNKNOWN' }]);
  t.match(await looked('8.8.8.8:5060'), [{ state: 'FAIL', said: /policy of this host forbids/ }]);
  far.engine.close();
});
