/**
 * Applies a changed policy: the threads' allowed targets and rates, the capacity, and what the control plane knows of it.
 */
import type { Config } from '../config.ts';
import type { Link } from '../link/link.ts';
import { listenFault } from '../policy/listening.ts';
import type { Book } from '../run/allocation/book.ts';
import { HostPace } from '../run/limits/host-pace.ts';
import type { SignallingThread } from '../run/threads/signalling-host.ts';
import type { Host } from './host.ts';

type Parts = {
  readonly threads: readonly Pick<SignallingThread, 'tell'>[];
  readonly book: Pick<Book, 'shrink'>;
  readonly link: Pick<Link, 'tellPolicy'>;
  readonly capacity: () => number;
  /** The agent may no longer listen at its address. */
  readonly breaks: (error: Error) => void;
};

export function obeyPolicy(
  config: Config,
  { currentPolicy, minutes, log }: Pick<Host, 'currentPolicy' | 'minutes' | 'log'>,
  { threads, book, link, capacity, breaks }: Parts,
): void {
  currentPolicy.watch({
    onPolicy: (policy) => {
      log.info({ file: currentPolicy.file }, 'the policy was read again and is active');
      const refused = listenFault(config, policy);
      if (refused !== null) {
        breaks(new Error(`${refused}: the policy was changed`));
        return;
      }
      minutes.minutes.limit(policy.maxMinutesADay);
      const pace = new HostPace(policy.maxCallsPerSecond).memory;
      for (const thread of threads) thread.tell({ op: 'policy', policy, paceMemory: pace });
      book.shrink(capacity(), `the policy of this host was changed, and allows ${policy.maxEndpoints} endpoints`);
      link.tellPolicy();
    },
    onFault: (fault) => log.error({ error: fault }, 'the policy cannot be read; the previous one stays active'),
  });
}
