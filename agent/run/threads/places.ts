/**
 * The addresses that a signalling thread sends from: its own, and those named by allocations (`source_address`). Such
 * an address is opened when the first allocation names it, and closed when it has been unused for a while.
 */
import type { ChosenEngine, SipEngine, SipTransport } from '../../sip/engine.ts';
import type { Engines } from '../../sip/engines/engines.ts';
import type { Locator } from '../../sip/locate/locator.ts';

/** `source`: '' for the thread's own address. */
export type SourcePlace = {
  readonly source: string;
  readonly address: string;
  readonly engines: Engines;
  readonly locator: Locator;
};
export type PlacedEngine = { readonly place: SourcePlace; readonly engine: SipEngine };

/** The last responses to its endpoints' requests have arrived by then. */
const IDLE_MS = 32_000;

export class Places {
  readonly own: SourcePlace;
  readonly #open: (source: string) => Promise<SourcePlace>;
  readonly #others = new Map<string, { readonly place: SourcePlace; idleSinceMs: number }>();
  readonly #opening = new Map<string, Promise<SourcePlace>>();
  /** The counts of closed places. */
  #gone: Counts = { malformed: 0, refusedByPolicy: 0, receiveDrops: 0, unclaimed: 0, withheld: 0 };
  #isClosed = false;

  /** `open` rejects if the address cannot be used, with the reason as a sentence. */
  constructor(own: SourcePlace, open: (source: string) => Promise<SourcePlace>) {
    this.own = own;
    this.#open = open;
  }

  /** A promise if something has to be opened first; it rejects if that fails. */
  engineOf(
    source: string,
    protocol: SipTransport | 'AUTO',
    wanted: ChosenEngine = 'CORE',
  ): PlacedEngine | Promise<PlacedEngine> {
    const place = this.#at(source);
    if (place instanceof Promise) return place.then((one) => engineAt(one, protocol, wanted));
    return engineAt(place, protocol, wanted);
  }

  #at(source: string): SourcePlace | Promise<SourcePlace> {
    if (source === '' || source === this.own.address) return this.own;
    const other = this.#others.get(source);
    if (other === undefined) return this.#opened(source);
    other.idleSinceMs = Number.POSITIVE_INFINITY;
    return other.place;
  }

  #opened(source: string): Promise<SourcePlace> {
    const known = this.#opening.get(source);
    if (known !== undefined) return known;
    const opening = this.#open(source)
      .then((place) => {
        this.#others.set(source, { place, idleSinceMs: Number.POSITIVE_INFINITY });
        if (!this.#isClosed) return place;
        this.#end(place);
        throw new Error('the agent is stopping');
      })
      .finally(() => this.#opening.delete(source));
    this.#opening.set(source, opening);
    return opening;
  }

  get busy(): boolean {
    return this.#all.some(({ engines }) => engines.busy);
  }

  get needsLoop(): boolean {
    return this.#all.some(({ engines, locator }) => engines.needsLoop || locator.busy);
  }

  /** The counts since the thread started. */
  get counts(): Counts {
    return this.#all.map(countsOf).reduce(sumOf, this.#gone);
  }

  /** Returns the number of received datagrams. */
  turn(atMs: number): number {
    let received = this.own.engines.turn(atMs);
    for (const { place } of this.#others.values()) received += place.engines.turn(atMs);
    return received;
  }

  /** Looks up names; must be called before the engines' turns. */
  find(atMs: number): void {
    this.own.locator.turn(atMs);
    for (const { place } of this.#others.values()) place.locator.turn(atMs);
  }

  /** Closes places that no allocation has needed for a while. */
  tidy(isNeeded: (source: string) => boolean, atMs: number): void {
    for (const [source, other] of this.#others) {
      if (isNeeded(source) || other.place.engines.busy) other.idleSinceMs = Number.POSITIVE_INFINITY;
      else if (other.idleSinceMs === Number.POSITIVE_INFINITY) other.idleSinceMs = atMs;
      else if (atMs - other.idleSinceMs >= IDLE_MS) this.#end(other.place);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { place } of [...this.#others.values()]) this.#end(place);
    this.own.engines.close();
    this.own.locator.close();
  }

  get #all(): SourcePlace[] {
    return [this.own, ...[...this.#others.values()].map(({ place }) => place)];
  }

  #end(place: SourcePlace): void {
    this.#others.delete(place.source);
    this.#gone = sumOf(this.#gone, countsOf(place));
    place.engines.close();
    place.locator.close();
  }
}

function engineAt(
  place: SourcePlace,
  protocol: SipTransport | 'AUTO',
  wanted: ChosenEngine,
): PlacedEngine | Promise<PlacedEngine> {
  const engine = place.engines.of(protocol, wanted);
  return engine instanceof Promise ? engine.then((one) => ({ place, engine: one })) : { place, engine };
}

const countsOf = ({ engines }: SourcePlace) => ({
  malformed: engines.malformed,
  refusedByPolicy: engines.refusedByPolicy,
  receiveDrops: engines.main.receiveDrops,
  unclaimed: engines.main.counters.unclaimed,
  withheld: engines.main.counters.withheld,
});
type Counts = Readonly<ReturnType<typeof countsOf>>;

const sumOf = (a: Counts, b: Counts): Counts => ({
  malformed: a.malformed + b.malformed,
  refusedByPolicy: a.refusedByPolicy + b.refusedByPolicy,
  receiveDrops: a.receiveDrops + b.receiveDrops,
  unclaimed: a.unclaimed + b.unclaimed,
  withheld: a.withheld + b.withheld,
});
