/** The ownership of allocations: queried once per connection, because it never changes. */
import { foreignAllocations } from '../operations/agents/claims.ts';
import type { Ports } from '../ports.ts';

/** An agent has only a few. */
const MAX_ALLOCATIONS = 10_000;
const NONE: ReadonlySet<string> = new Set();

export class OwnAllocations {
  readonly #ports: Ports;
  /** Allocations that are known not to belong to other workers. */
  readonly #notForeign = new Set<string>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Returns the allocations that belong to other workers. */
  async foreignOf(workerId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const unseen = ids.filter((id) => !this.#notForeign.has(id));
    if (unseen.length === 0) return NONE;
    const foreign = await foreignAllocations(this.#ports, workerId, unseen);
    if (this.#notForeign.size > MAX_ALLOCATIONS) this.#notForeign.clear();
    for (const id of unseen) if (!foreign.has(id)) this.#notForeign.add(id);
    return foreign;
  }
}
