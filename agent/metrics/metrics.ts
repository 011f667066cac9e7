/** The agent's figures for Prometheus. Counted when facts are collected, never per packet or SIP message. */
import { callMetrics } from './calls.ts';
import { type Adapters, noiseMetrics } from './noise.ts';
import { type Readings, readMetrics } from './readings.ts';
import { AgentRegistry } from './registry.ts';
import { streamMetrics } from './streams.ts';

export type AgentMetrics = ReturnType<typeof createAgentMetrics>;

export function createAgentMetrics(adapters: Adapters) {
  const registry = new AgentRegistry();
  return {
    contentType: registry.contentType,
    text: () => registry.text(),
    ...callMetrics(registry),
    ...streamMetrics(registry),
    ...noiseMetrics(registry, adapters),
    /** Registered once there are values to read. */
    watch: (readings: Readings) => readMetrics(registry, readings),
  };
}
