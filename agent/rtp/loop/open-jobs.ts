/** Requests for ports, handled in order, with some binds per turn. */
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import { OpenJob, type OpenRequest } from './open-job.ts';
import type { PortRange } from './port-range.ts';
import { RowPool } from './row-pool.ts';

/** Port pairs bound per turn: each takes about 20 us, and other streams' packets may be waiting. */
const BINDS_A_TURN = 8;
const BINDS_AN_IDLE_TURN = 256;

export class OpenJobs {
  readonly #memory: MediaMemory;
  readonly #ports: PortRange;
  readonly #sockets: StreamSockets;
  readonly #rows: RowPool;
  readonly #jobs: OpenJob[] = [];

  constructor(memory: MediaMemory, ports: PortRange, sockets: StreamSockets) {
    this.#memory = memory;
    this.#ports = ports;
    this.#sockets = sockets;
    this.#rows = new RowPool(memory);
  }

  get waiting(): boolean {
    return this.#jobs.length > 0;
  }

  /** Binds ports for the request, all or none, over as many turns as necessary. */
  add(request: OpenRequest): void {
    if (request.endpointNumbers.length === 0) {
      request.done([], null);
      return;
    }
    this.#jobs.push(new OpenJob(request, this.#memory, this.#ports, this.#sockets, () => this.#rows.take()));
  }

  /** `isBusy`: packets are waiting. */
  bindSome(isBusy: boolean): void {
    while (this.#jobs[0]?.state === 'DONE') this.#jobs.shift();
    const job = this.#jobs[0];
    if (!job) return;
    const most = isBusy ? BINDS_A_TURN : BINDS_AN_IDLE_TURN;
    for (let binds = 0; binds < most && job.state === 'READY'; binds++) job.bindOne();
  }

  abandon(): void {
    for (const job of this.#jobs.splice(0)) job.abandon();
  }
}
