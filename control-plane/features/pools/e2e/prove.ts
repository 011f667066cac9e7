/**
 * Proves that no call is lost or counted twice while twenty disposable agents come and go under 200 calls a second.
 * `CARILLON_PROVE_SECONDS` is another time than ten minutes.
 */
import { withInstallation } from '../../../../scripts/measure/installation.ts';
import type { Measurement } from '../../../../scripts/measure/sections.ts';
import { n, type ResultTable } from '../../../../scripts/measure/table.ts';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { comeAndGo, comingTest, openSipp } from './come-and-go.ts';

const COMING = {
  agents: 20,
  seconds: Number(process.env['CARILLON_PROVE_SECONDS'] ?? 600),
  callsPerSecond: 200,
  secondsOfRun: 20,
  everySeconds: 5,
};

async function pools(): Promise<ResultTable> {
  const net = ownLoopback();
  const sipp = await openSipp(net);
  try {
    const found = await withInstallation(
      { net, agents: 0, provision: () => ({ tests: [comingTest(sipp.uri, COMING)] }) },
      (lab) => comeAndGo(lab, net, sipp, COMING),
    );
    const { runs, begun, left, calls, inStates, open, wrongExits } = found;
    const faults = [
      ...(calls === 0 ? ['no call was placed'] : []),
      ...(inStates === calls && open === 0 ? [] : [`${inStates} of ${calls} calls are in a state, ${open} are open`]),
      ...(found.sipp === calls ? [] : [`SIPp was sent ${found.sipp} calls, and ${calls} were counted`]),
      ...(left === begun ? [] : [`${left} of ${begun} workers are archived`]),
      ...wrongExits,
    ];
    return {
      heads: ['runs', 'agents that came', 'that left', 'calls', 'in one state', 'as SIPp counts them'],
      rows: [[runs, begun, left, calls, inStates, found.sipp].map((figure) => n(figure))],
      faults,
    };
  } finally {
    await sipp.stop('SIGKILL');
  }
}

export const SECTION: Measurement = {
  by: 'prove',
  title: 'Pools',
  about:
    'Twenty disposable agents come and go for ten minutes under 200 calls a second to SIPp. The claim is that every call is in one state, and that the count of SIPp is ours.',
  run: pools,
};
