/** Where peers find us: Contact and Via by a name or a public address, SIPS URIs (RFC 3261, 8.1.1.8 and 12.1.1), notices of mailboxes. */
import t from 'tap';
import {
  CallLog,
  headerOf,
  PEER,
  RegistrationLog,
  requestOf,
  responseTo,
  SDP,
  VirtualEngine,
} from '../../testing/sip/virtual.ts';
import { CONTACT, TARGET } from '../../testing/sip/virtual-call.ts';

const UDP = [{ transport: 'UDP', ...PEER }] as const;
const contactOf = (text: string): string => headerOf(text, 'Contact').replace(/;expires=\d+$/, '');

t.test('a host that peers know is in every Contact and Via, and calls to it are taken', async (t) => {
  for (const host of ['sbc.example.com', '203.0.113.9', '2001:db8::9']) {
    const virtual = new VirtualEngine({ announced: { host, mediaAddress: '' } });
    const written = host.includes(':') ? `[${host}]` : host;
    const contact = `<sip:alice@${written}:5060>`;
    const agent = virtual.agent({
      nextHop: UDP,
      onIncomingCall: (call) => {
        call.answer(SDP());
        return new CallLog();
      },
    });
    agent.register(60, new RegistrationLog());
    agent.ping(TARGET, { onPingSent: () => undefined, onPingAnswered: () => undefined, onPingFailed: () => undefined });
    agent.invite(TARGET, SDP(), new CallLog());
    for (const method of ['REGISTER', 'OPTIONS', 'INVITE']) {
      const request = virtual.take(method);
      t.equal(contactOf(request), contact, `${method} ${host}`);
      t.ok(headerOf(request, 'Via').startsWith(`SIP/2.0/UDP ${written}:5060;rport;branch=`));
      virtual.receive(
        responseTo(request, 200, 'OK', { contact: method === 'REGISTER' ? `${contact};expires=60` : CONTACT }),
      );
    }
    virtual.take('ACK');
    virtual.receive(requestOf('INVITE', { requestUri: contact.slice(1, -1), body: SDP() }));
    t.equal(contactOf(virtual.take('SIP/2.0 200')), contact);
    t.equal(virtual.engine.local.address, '192.0.2.1', 'what is listened on is the same');
    t.same(virtual.errors, []);
  }
});

t.test('Contact is a SIPS URI where the other end is', async (t) => {
  const called: [string, string[], RegExp][] = [
    ['sips:600@192.0.2.2', [], /^<sips:alice@192.0.2.1:5060>$/],
    ['SIPS:600@192.0.2.2', [], /^<sips:/],
    ['sip:600@192.0.2.2', [], /^<sip:alice@192.0.2.1:5060>$/],
    ['sip:600@192.0.2.2', ['<sips:proxy.example;lr>'], /^<sips:/],
  ];
  for (const [target, routeSet, contact] of called) {
    const virtual = new VirtualEngine();
    virtual.agent({ nextHop: UDP, routeSet }).invite(target, SDP(), new CallLog());
    t.match(contactOf(virtual.take('INVITE')), contact, `${target} ${routeSet}`);
  }
  const calls: [string, string[], RegExp][] = [
    ['sips:alice@192.0.2.1', [], /^<sips:alice@/],
    ['sip:alice@192.0.2.1', [], /^<sip:alice@/],
    ['sip:alice@192.0.2.1', ['Record-Route: <sips:proxy.example;lr>'], /^<sips:alice@/],
  ];
  for (const [requestUri, headers, contact] of calls) {
    const virtual = new VirtualEngine();
    virtual.agent({
      onIncomingCall: (call) => {
        call.answer(SDP());
        return new CallLog();
      },
    });
    virtual.receive(requestOf('INVITE', { requestUri, headers, body: SDP() }));
    t.match(contactOf(virtual.take('SIP/2.0 200')), contact, requestUri);
  }
  const virtual = new VirtualEngine();
  const agent = virtual.agent({ nextHop: UDP });
  agent.register(60, new RegistrationLog());
  const register = virtual.take('REGISTER');
  virtual.receive(responseTo(register, 200, 'OK', { contact: `${contactOf(register)};expires=60` }));
  agent.invite('sips:600@192.0.2.2', SDP(), new CallLog());
  virtual.take('INVITE');
  virtual.sent.length = 0;
  virtual.advance(59_000);
  const refresh = virtual.sent.find(({ text }) => text.startsWith('REGISTER'))?.text ?? '';
  t.equal(contactOf(refresh), contactOf(register), 'the binding stays the same');
});

t.test(
  'an unsolicited notice of a mailbox is taken, as telephones do (RFC 3842); nothing else that is unsolicited',
  async (t) => {
    const body = 'Messages-Waiting: yes\r\nMessage-Account: sip:alice@example.net\r\n';
    const notify = (event: string, requestUri = 'sip:alice@192.0.2.1:5060'): string =>
      requestOf('NOTIFY', { requestUri, headers: [event, 'Subscription-State: terminated'], body }).replace(
        'application/sdp',
        'application/simple-message-summary',
      );
    const stranger = { address: '198.51.100.7', port: 5060 };
    const rows: [string, typeof PEER, number][] = [
      [notify('Event: message-summary'), PEER, 200],
      [notify('o: Message-Summary;id=1'), PEER, 200],
      [notify('Event: presence'), PEER, 481],
      [notify('Event: message-summary', 'sip:nobody@192.0.2.1'), PEER, 481],
      [notify('Event: message-summary'), stranger, 481],
      [
        notify('Event: message-summary').replace('To: <sip:alice@example.net>', 'To: <sip:alice@example.net>;tag=x'),
        PEER,
        481,
      ],
    ];
    for (const [request, from, status] of rows) {
      const virtual = new VirtualEngine();
      virtual.agent({ takesFrom: (address) => address === PEER.address });
      virtual.receive(request, from);
      virtual.take(`SIP/2.0 ${status}`);
      t.same(virtual.errors, []);
    }
  },
);
