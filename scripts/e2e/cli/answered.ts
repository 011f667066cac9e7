/** An installation whose test "answered" calls a SIPp that answers, and whose test "elsewhere" no agent can run. */
import path from 'node:path';
import type { Test } from 'tap';
import { type Lab, openLab } from '../../peers/lab/lab.ts';
import { callsTo, type LabProvision, SPEAKS_ONLY } from '../../peers/lab/provision.ts';
import { type Loopback, ownLoopback } from '../../peers/network/loopback.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { type CommandResult, carillon, unlessVoid } from './carillon.ts';

/** The test "answered" has this shape. */
export const FEW = { endpoints: 4, durationSeconds: 1, media: SPEAKS_ONLY };

export type AnsweredLab = {
  readonly lab: Lab;
  /** A path in the folder of the installation. */
  file(name: string): string;
  /** `carillon run`. */
  run(...args: string[]): Promise<CommandResult>;
  /** The same, repeated if the run is VOID. */
  judged(...args: string[]): ReturnType<typeof unlessVoid>;
};

/** `more`: by the address of the SIPp that answers. */
export async function openAnswered(
  t: Test,
  net: Loopback = ownLoopback(),
  more: (uri: string) => Pick<LabProvision, 'tests' | 'probes'> = () => ({ tests: [] }),
): Promise<AnsweredLab> {
  const answering = await startSipp({ address: net.address(100), scenario: { builtIn: 'uas' } });
  t.teardown(() => answering.end());
  const elsewhere = callsTo(answering.uri, 'elsewhere', FEW);
  const { tests, ...others } = more(answering.uri);
  const lab = await openLab(t, {
    net,
    graceSeconds: 2,
    provision: () => ({
      ...others,
      tests: [
        callsTo(answering.uri, 'answered', FEW),
        ...tests,
        {
          ...elsewhere,
          groups: (elsewhere.groups ?? []).map((g) => ({ ...g, placement: { mode: 'REGION', region: 'nowhere' } })),
        },
      ],
    }),
  });
  const run = (...args: string[]) => carillon(lab, ['run', ...args]);
  return {
    lab,
    file: (name) => path.join(lab.dir, name),
    run,
    judged: (...args) => unlessVoid(98, () => run(...args)),
  };
}
