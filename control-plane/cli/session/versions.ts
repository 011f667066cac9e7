/** Says on standard error what a command line costs that is older, or newer, than its control plane. */
import { plain } from '@carillon/proto/base/plain-text.ts';
import { type VersionOrder, versionOrder } from '@carillon/proto/base/version-order.ts';
import { VERSION } from '../../version.ts';
import type { Io } from '../io.ts';

const COSTS: Readonly<Record<VersionOrder, string | null>> = {
  SAME: null,
  OLDER: 'it refuses settings, and does not show results, that are new in the control plane. Install its version.',
  NEWER: 'the control plane refuses what is new in it. Upgrade the control plane, or install its version.',
};

/** `theirs`: the version of the control plane. */
export function tellVersions(io: Io, theirs: string): void {
  const order = versionOrder(VERSION, theirs);
  const cost = COSTS[order];
  if (cost !== null)
    io.err.write(
      `This carillon (${VERSION}) is ${order.toLowerCase()} than the control plane (${plain(theirs)}): ${cost}\n`,
    );
}
