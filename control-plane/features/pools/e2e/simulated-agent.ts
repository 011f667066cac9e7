/**
 * An agent without SIP and media: its link, its book of allocations, its reports and its outbox are the agent's own, and the calls of its
 * shares are played. It says what the control plane has to count: that is what its committed batches have.
 */
import { seeded } from '@carillon/media/seeded.ts';
import { uuidBytes, uuidText } from '@carillon/proto/base/uuid.ts';
import { AgentNoise } from '../../../../agent/assembly/noise.ts';
import { obey } from '../../../../agent/assembly/obey.ts';
import { Pump } from '../../../../agent/assembly/pump.ts';
import { nowMs } from '../../../../agent/clock.ts';
import { openIdentity } from '../../../../agent/link/identity.ts';
import { Link } from '../../../../agent/link/link.ts';
import { Outbox } from '../../../../agent/link/outbox.ts';
import { policyDigest } from '../../../../agent/policy/digest.ts';
import { reachPredicate } from '../../../../agent/policy/judge.ts';
import { readPolicy } from '../../../../agent/policy/policy.ts';
import { abilitiesOf } from '../../../../agent/rtp/abilities.ts';
import { Book } from '../../../../agent/run/allocation/book.ts';
import { TURN_MS } from '../../../../agent/run/allocation/book-turn.ts';
import type { ShareOrder } from '../../../../agent/run/order/share-order.ts';
import { abilitiesWith } from '../../../../agent/sip/abilities.ts';
import { helloOf } from '../../../../scripts/peers/lab/fleet.ts';
import { type Played, SimulatedShare } from './simulated-share.ts';

const CAPACITY = { endpoints: 5000, streams: 10_000 };
const POLICY = {
  ...(await readPolicy(null)),
  maxCallsPerSecond: 20_000,
  maxEndpoints: CAPACITY.endpoints,
  maxMinutesADay: null,
};
/**
 * Where a turn takes longer than what it plays, each one would be longer than the last, and the link would have no turn: the control plane
 * would take the agent for lost. Such an agent falls behind its plan instead.
 */
const MAX_TURN_MS = 100;
const MAY_REACH = reachPredicate(POLICY);
const nothing = (): void => undefined;
const LOG = { debug: nothing, info: nothing, warn: nothing, error: nothing } as never;

/** What the agent had reported with its batches up to `last`. */
type Reported = { readonly last: number; readonly begun: number; readonly ended: number; readonly answered: number };

type SimulatedOptions = {
  readonly url: string;
  readonly joinToken: string;
  /** Of its key. */
  readonly stateDir: string;
  readonly seed: number;
};

export class SimulatedAgent {
  readonly played: Played = { begun: 0, ended: 0, setupMs: [] };
  welcomes = 0;
  /** The last batch that the control plane has, as far as the agent knows. */
  committed = 0;
  /** Why the control plane refused it; null: it did not. */
  refused: string | null = null;
  readonly outbox = new Outbox();
  readonly #link: Link;
  readonly #book: Book;
  readonly #shares = new Map<number, SimulatedShare>();
  readonly #reported: Reported[] = [{ last: 0, begun: 0, ended: 0, answered: 0 }];
  readonly #pump: Pump;
  readonly #timer: NodeJS.Timeout;

  /** It connects, and reconnects until it is killed. */
  static async open(options: SimulatedOptions): Promise<SimulatedAgent> {
    return new SimulatedAgent(options, await openIdentity(options.stateDir));
  }

  private constructor({ url, joinToken, seed }: SimulatedOptions, identity: Awaited<ReturnType<typeof openIdentity>>) {
    const random = seeded(seed);
    const tell = (order: ShareOrder): void => {
      if (order.op === 'allocate') {
        this.#shares.set(order.plan.owner, new SimulatedShare(order.plan, random, this.played));
        return;
      }
      const share = 'owner' in order ? this.#shares.get(order.owner) : undefined;
      if (order.op === 'start') share?.start(order.startAtMs);
      else if (order.op === 'changeLoad') share?.changeLoad(order.steps);
      else if (order.op === 'stop') share?.stop();
    };
    this.#book = new Book({
      threads: [{ tell }],
      memories: [],
      limits: (taken) => ({
        policy: POLICY,
        mayReach: MAY_REACH,
        room: CAPACITY.endpoints - taken.endpoints,
        streamRoom: CAPACITY.streams - taken.streams,
        abilities: abilitiesOf({ fingerprint: null }),
      }),
      log: LOG,
      events: { onOutcome: nothing, onSip: nothing, onSamples: nothing, onStream: nothing },
    });
    const link = new Link({ url, identity, outbox: this.outbox, log: LOG });
    this.#link = link;
    this.#pump = this.#pumpOf(link);
    this.#timer = setInterval(() => this.#turn(), TURN_MS);
    link.open({
      hello: () => ({
        ...helloOf(joinToken),
        sipAbilities: abilitiesWith('core'),
        capacity: CAPACITY.endpoints,
        streamCapacity: CAPACITY.streams,
        limits: { own: CAPACITY.endpoints, openFileStreams: 0, portStreams: CAPACITY.streams },
        policy: policyDigest(POLICY, CAPACITY.endpoints),
        allocationIds: this.#book.held.map(uuidBytes),
      }),
      onWelcome: ({ nextBatch, stopAllocationIds }) => {
        this.welcomes++;
        this.#onCommitted(Number(nextBatch) - 1);
        this.#book.forget(stopAllocationIds.map(uuidText), 'the control plane has released this allocation');
      },
      onCommand: (command) => obey(command, this.#book, link),
      onCommitted: (number) => this.#onCommitted(number),
      onRenumbered: (by) => this.#book.renumbered(by),
      onRefused: (code, message) => {
        this.refused = `${code}: ${message}`;
      },
    });
  }

  /** What the control plane has to count if it has the batches up to this one. */
  reportedUntil(batch: number): Reported {
    return this.#reported.findLast(({ last }) => last <= batch) as Reported;
  }

  get isIdle(): boolean {
    return this.#book.isIdle && this.outbox.depth === 0;
  }

  /** As if its process were gone: what it has not sent is lost. */
  kill(): void {
    clearInterval(this.#timer);
    this.#link.close();
  }

  #turn(): void {
    const atMs = nowMs();
    for (const [owner, share] of this.#shares) {
      share.turn(atMs, atMs + MAX_TURN_MS);
      const facts = share.facts.take(atMs);
      if (share.isOver) this.#shares.delete(owner);
      if (facts !== null) this.#book.onFacts(0, facts);
    }
    this.#pump.turn(atMs, Date.now());
  }

  #onCommitted(number: number): void {
    this.committed = number;
    this.#book.committed(number);
  }

  #pumpOf(link: Link): Pump {
    const { outbox } = this;
    const append: Outbox['append'] = (facts, unixMs) => {
      outbox.append(facts, unixMs);
      const { begun, ended, setupMs } = this.played;
      this.#reported.push({ last: outbox.last, begun, ended, answered: setupMs.length });
    };
    return new Pump(
      {
        book: this.#book,
        outbox: {
          append,
          get last() {
            return outbox.last;
          },
        },
        link,
        noise: new AgentNoise({ memories: [], stamps: 'user' }, nowMs()),
        isolation: { watch: nothing },
        minutes: { turn: nothing, save: async () => undefined },
        metrics: { onNoise: nothing },
        log: LOG,
      },
      nowMs(),
    );
  }
}
