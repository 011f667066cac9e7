/** The agent that was started together with the control plane: a PLATFORM worker, for every organization. */
import type { Ports } from '../../ports.ts';
import { newId } from '../../store/new-id.ts';
import { upsertWorker } from '../../store/project/provision-access.ts';

/** The agent's own capacity counts, because no organization could change a value that is set here. */
const LOCAL = { name: 'local', region: 'local', capacity: 100_000 };

export const shareLocalWorker = (ports: Ports, publicKey: Buffer): Promise<void> =>
  ports.database.transaction(async (tx) => {
    await upsertWorker(tx, { id: newId(), organizationId: null, ...LOCAL, publicKey });
  });
