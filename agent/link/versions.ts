/** The versions of the agent and of its control plane, and what each is too old for: told in `status` and by the doctor. Pure. */
import type { wire } from '@carillon/proto';
import { versionOrder } from '@carillon/proto/base/version-order.ts';

type Welcome = Pick<wire.agent.v1.Welcome, 'version' | 'agentLacks' | keyof typeof FRAMES>;

export type Versions = {
  /** The version of the control plane; null: it is too old to tell. */
  readonly version: string | null;
  /** What it is too old for, in words. */
  readonly lacks: readonly string[];
  /** The settings of tests that this agent cannot carry out, in words. */
  readonly agentLacks: readonly string[];
  /** Which of the two is older, and what to install; null: neither is. */
  readonly older: { readonly said: string; readonly cure: string } | null;
};

/** What a control plane says in its welcome that it accepts, and what is lost without. */
const FRAMES = {
  takesKeyChanges: 'new keys and changes of the policy while the agent is connected',
  takesMessageBlocks: 'SIP messages in blocks',
  takesStorageFaults: 'faults of the disk',
  takesLeaving: 'disposable agents',
} as const;

/** `own`: the version of this agent. */
export function versionsOf(welcome: Welcome, own: string): Versions {
  const { version, agentLacks } = welcome;
  const lacks = Object.entries(FRAMES).flatMap(([name, words]) =>
    welcome[name as keyof typeof FRAMES] ? [] : [words],
  );
  return { version: version || null, lacks, agentLacks, older: olderOf(version, own, lacks, agentLacks) };
}

function olderOf(version: string, own: string, lacks: readonly string[], agentLacks: readonly string[]) {
  const order = version === '' ? 'OLDER' : versionOrder(version, own);
  if (order === 'OLDER')
    return {
      said: `the control plane${version && ` (${version})`} is older than this agent (${own})${tooOldFor(lacks)}`,
      cure: `install the control plane of version ${own}`,
    };
  if (order === 'NEWER')
    return {
      said: `this agent (${own}) is older than the control plane (${version})${tooOldFor(agentLacks)}`,
      cure: `install the agent of version ${version}`,
    };
  return null;
}

const tooOldFor = (lacks: readonly string[]): string =>
  lacks.length > 0 ? `, and too old for: ${lacks.join(', ')}` : '';
