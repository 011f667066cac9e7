/** The answer to a greeting: the agent's name here, the number to continue with, and what this control plane accepts. */
import type { wire } from '@carillon/proto';
import type { Welcome } from '../../operations/agents/greet.ts';
import { toBytes } from './identifiers.ts';
import { unixMs } from './unix-ms.ts';

const BEAT_SECONDS = 5;

export const welcomeFrame = (welcome: Welcome): wire.agent.v1.ControlFrame.$Properties => ({
  welcome: {
    workerId: toBytes(welcome.workerId),
    name: welcome.name,
    region: welcome.region,
    unixMs: unixMs(),
    nextBatch: welcome.nextBatch,
    stopAllocationIds: welcome.stopAllocationIds.map(toBytes),
    beatSeconds: BEAT_SECONDS,
    takesKeyChanges: true,
    takesMessageBlocks: true,
    takesStorageFaults: true,
    takesLeaving: true,
    version: welcome.version,
    agentLacks: [...welcome.agentLacks],
  },
});
