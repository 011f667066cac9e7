/** Two ICE ends on virtual time, over a network that loses, delays, translates addresses, and blocks. */
import { createHmac } from 'node:crypto';
import { type Candidate, localCandidates, readCandidate } from '@carillon/media/ice/candidate.ts';
import { readStun, writeStun } from '@carillon/media/ice/stun.ts';
import { seeded } from '@carillon/media/seeded.ts';
import t from 'tap';
import { IceAgent, type IceEvents, type IceOptions } from './ice-agent.ts';

type Address = { readonly address: string; readonly port: number };
type Datagram = { readonly atMs: number; readonly bytes: Uint8Array; readonly from: Address; readonly to: Address };

const hmac = (password: string, bytes: Uint8Array) => createHmac('sha1', password).update(bytes).digest();
const A = { address: '10.0.0.1', port: 4000 };
const B = { address: '10.0.0.2', port: 5000 };
const key = ({ address, port }: Address) => `${address}:${port}`;

type World = {
  /** Share that is lost. */
  readonly loss?: number;
  /** The socket's address as seen by others. */
  readonly nat?: ReadonlyMap<string, Address>;
  readonly isCut?: (from: Address, to: Address, nowMs: number) => boolean;
};

/** A network between sockets, and the ends that own them. */
function network({ loss = 0, nat = new Map(), isCut = () => false }: World, random: () => number) {
  const flying: Datagram[] = [];
  const seats = new Map<string, (bytes: Uint8Array, from: Address) => void>();
  const inward = new Map([...nat].map(([base, mapped]) => [key(mapped), base]));
  const world = {
    nowMs: 0,
    sent: 0,
    sit: (at: Address, hear: (bytes: Uint8Array, from: Address) => void) => void seats.set(key(at), hear),
    send(bytes: Uint8Array, from: Address, to: Address) {
      world.sent++;
      if (random() < loss || isCut(from, to, world.nowMs)) return;
      flying.push({ atMs: world.nowMs + 10, bytes: bytes.slice(), from: nat.get(key(from)) ?? from, to });
    },
    go(untilMs: number, turn: () => void) {
      for (; world.nowMs < untilMs; world.nowMs += 10) {
        for (const one of flying.splice(0).sort((a, b) => a.atMs - b.atMs))
          if (one.atMs > world.nowMs) flying.push(one);
          else seats.get(inward.get(key(one.to)) ?? key(one.to))?.(one.bytes, one.from);
        turn();
      }
    },
  };
  return world;
}

type Ends = {
  readonly a?: Partial<IceOptions>;
  readonly b?: Partial<IceOptions>;
  readonly candidatesOfA?: readonly Candidate[];
  readonly candidatesOfB?: readonly Candidate[];
  readonly permits?: boolean;
  readonly seed?: number;
};

function pairOf(world: World, { a, b, candidatesOfA, candidatesOfB, permits = true, seed = 1 }: Ends = {}) {
  const random = seeded(seed);
  const net = network(world, random);
  const routes: [string, string | null][] = [];
  const strangers: string[] = [];
  const end = (name: string, base: Address, options: IceOptions): IceAgent => {
    const events: IceEvents = {
      hmac,
      random,
      send: (bytes, to) => net.send(bytes, base, to),
      onRoute: (to) => void routes.push([name, to && key(to)]),
      onStranger: ({ address }) => {
        strangers.push(address);
        if (permits) agent.permit(address);
      },
    };
    const agent = new IceAgent(options, events, net.nowMs);
    net.sit(base, (bytes, from) => agent.take(bytes, from, net.nowMs));
    return agent;
  };
  const ofA = {
    ufrag: 'aaaa',
    pwd: 'a'.repeat(22),
    lite: false,
    candidates: candidatesOfA ?? localCandidates(A, null),
  };
  const ofB = {
    ufrag: 'bbbb',
    pwd: 'b'.repeat(22),
    lite: false,
    candidates: candidatesOfB ?? localCandidates(B, null),
  };
  const plain = { reflexive: null };
  const first = end('a', A, { local: ofA, remote: ofB, controlling: true, base: A, ...plain, ...a });
  const second = end('b', B, { local: ofB, remote: ofA, controlling: false, base: B, ...plain, ...b });
  const turn = () => {
    first.turn(net.nowMs);
    second.turn(net.nowMs);
  };
  return { a: first, b: second, net, routes, strangers, go: (untilMs: number) => net.go(untilMs, turn) };
}

t.test('host to host: a check each way, one to nominate, within a tenth of a second', (t) => {
  const { a, b, go, routes } = pairOf({});
  go(200);
  t.same([a.state, b.state], ['COMPLETED', 'COMPLETED']);
  t.same(routes, [
    ['a', key(B)],
    ['b', key(A)],
  ]);
  t.match(a.selected, { local: 'host', remote: { type: 'host', port: B.port } });
  t.ok(a.connectedAfterMs > 0 && a.connectedAfterMs < 100 && b.connectedAfterMs < 100);
  t.end();
});

t.test('whatever is lost, both ends come to one pair: the best that works', (t) => {
  const unreachable = readCandidate('9 1 udp 2130706431 203.0.113.9 9 typ host') as Candidate;
  for (let seed = 1; seed <= 40; seed++) {
    const candidatesOfB = [unreachable, ...localCandidates(B, { address: '192.0.2.9', port: 1 })];
    const { a, b, go } = pairOf({ loss: 0.2 }, { seed, candidatesOfB });
    go(30_000);
    t.same([a.state, b.state], ['COMPLETED', 'COMPLETED'], `seed ${seed}`);
    t.same(
      [a.destination, b.destination].map((one) => one && key(one)),
      [key(B), key(A)],
    );
  }
  t.end();
});

t.test('behind a NAT: reflexive on one side, and, where it was not told, learned by the other', (t) => {
  const mapped = { address: '192.0.2.1', port: 61_000 };
  const nat = new Map([[key(A), mapped]]);
  const isCut = (_from: Address, to: Address) => key(to) === key(A);
  const told = pairOf({ nat, isCut }, { a: { reflexive: mapped }, candidatesOfA: localCandidates(A, mapped) });
  told.go(3000);
  t.match(told.a.selected, { local: 'srflx', localAddress: mapped });
  t.match(told.b.selected, { remote: { type: 'srflx', ...mapped } });
  t.same(told.strangers, []);
  const learned = pairOf({ nat, isCut });
  learned.go(3000);
  t.same([learned.a.state, learned.b.state], ['COMPLETED', 'COMPLETED']);
  t.match(learned.a.selected, { local: 'prflx' });
  t.match(learned.b.selected, { remote: { type: 'prflx', ...mapped } });
  t.same(learned.strangers, ['192.0.2.1'], 'asked once');
  const forbidden = pairOf({ nat, isCut }, { permits: false });
  forbidden.go(45_000);
  t.same([forbidden.a.state, forbidden.b.state], ['FAILED', 'FAILED'], 'the policy has the last word');
  t.end();
});

t.test('both control, or neither: the greater tie-breaker decides', (t) => {
  for (const controlling of [true, false])
    for (let seed = 1; seed <= 10; seed++) {
      const { a, b, go } = pairOf({}, { a: { controlling }, b: { controlling }, seed });
      go(1500);
      t.same([a.state, b.state], ['COMPLETED', 'COMPLETED'], `${controlling} ${seed}`);
    }
  t.end();
});

t.test('a lite peer is checked by us, and nominated by us, whichever end has offered', (t) => {
  const random = seeded(7);
  const net = network({}, random);
  const pwd = 'b'.repeat(22);
  const wishes: boolean[] = [];
  net.sit(B, (bytes, from) => {
    const request = readStun(bytes)!;
    t.ok(request.controlling != null);
    wishes.push(request.useCandidate === true);
    net.send(writeStun({ type: 0x0101, transaction: request.transaction, mapped: from }, hmac, pwd), B, from);
  });
  const remote = { ufrag: 'bbbb', pwd, lite: true, candidates: localCandidates(B, null) };
  const local = { ufrag: 'aaaa', pwd: 'a'.repeat(22) };
  const events = { hmac, random, send: (bytes: Uint8Array, to: Address) => net.send(bytes, A, to) };
  const agent = new IceAgent(
    { local, remote, controlling: false, base: A, reflexive: null },
    { ...events, onRoute: () => undefined, onStranger: () => undefined },
    0,
  );
  net.sit(A, (bytes, from) => agent.take(bytes, from, net.nowMs));
  net.go(1000, () => agent.turn(net.nowMs));
  t.equal(agent.state, 'COMPLETED');
  t.same(wishes, [false, true]);
  t.end();
});

t.test('consent: asked for every 4 to 6 s; 30 s of silence end it, shorter ones do not (RFC 7675)', (t) => {
  let cut = false;
  const { a, b, go, net, routes } = pairOf({ isCut: () => cut });
  go(1000);
  const before = net.sent;
  go(61_000);
  const asked = (net.sent - before) / 4;
  t.ok(asked >= 9 && asked <= 15, `${asked} requests an end in a minute, each answered`);
  cut = true;
  go(81_000);
  cut = false;
  go(90_000);
  t.same([a.state, b.state], ['COMPLETED', 'COMPLETED']);
  cut = true;
  go(125_000);
  t.same([a.state, b.state, a.destination], ['LOST', 'LOST', null]);
  t.same(
    routes.slice(-2).map(([, to]) => to),
    [null, null],
  );
  t.end();
});

t.test('nobody there: failed after 39.5 s, having asked seven times', (t) => {
  const { a, go, net } = pairOf({ isCut: () => true });
  go(39_000);
  t.equal(a.state, 'CHECKING');
  t.equal(net.sent, 14);
  go(40_000);
  t.equal(a.state, 'FAILED');
  t.end();
});

t.test('other credentials, other ends, altered messages: as if nobody had said anything', (t) => {
  const { a, b, net, go } = pairOf({ isCut: () => true });
  const request = { type: 1, transaction: 'x'.repeat(12), username: 'aaaa:bbbb', priority: 1, controlled: 1n };
  const before = net.sent;
  t.equal(a.take(writeStun(request, hmac, 'wrong'), B, 0), false);
  t.equal(a.take(writeStun(request, hmac, null), B, 0), false);
  t.equal(a.take(writeStun({ ...request, username: 'aaaa:cccc' }, hmac, 'a'.repeat(22)), B, 0), false);
  t.equal(a.take(Uint8Array.of(0, 1, 2), B, 0), false);
  t.equal(a.take(writeStun({ type: 0x0101, transaction: 'x'.repeat(12) }, hmac, 'b'.repeat(22)), B, 0), false);
  t.equal(net.sent, before);
  t.ok(a.take(writeStun(request, hmac, 'a'.repeat(22)), B, 0));
  t.equal(net.sent > before, true);
  go(10);
  t.equal(b.state, 'CHECKING');
  t.end();
});
