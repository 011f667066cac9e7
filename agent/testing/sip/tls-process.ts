/** A caller in a separate process that trusts the host's authorities: `node tls-process.ts PORT SERVER-NAME`; prints how its call ended. */
import { agentOf, call, closeSides, isOver, side, turnUntil } from './sides.ts';

const [port, serverName] = process.argv.slice(2) as [string, string];
const caller = await side();
const hop = { transport: 'TLS', address: '127.0.0.1', port: Number(port), serverName } as const;
const log = call(agentOf(caller, 'alice', { nextHop: [hop] }), `sip:bob@127.0.0.1:${port};transport=tls`);
await turnUntil(() => isOver(log), [caller]);
console.log(JSON.stringify([log.events.at(-1), log.failures[0]?.reason ?? '']));
closeSides();
