/** The port that REST and the agent link share. */
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A predecessor that is shutting down holds the port until it has ended. */
const PREDECESSOR_MS = 10_000;

/** @throws Error that names the address and the setting, if it stays in use */
export async function portIsFree(host: string, port: number): Promise<void> {
  for (const deadline = Date.now() + PREDECESSOR_MS; ; await sleep(100)) {
    const error = await tryToListen(host, port);
    if (error === null) return;
    if (error.code === 'EADDRINUSE' && Date.now() < deadline) continue;
    throw new Error(`${host}:${port} cannot be opened (HOST, PORT): ${error.message}`);
  }
}

/** Null: the address is free. */
export const tryToListen = (host: string, port: number): Promise<NodeJS.ErrnoException | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
