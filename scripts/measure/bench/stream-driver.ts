/**
 * Our side of the media benchmark, as a separate process. It opens streams, reports their ports, sends to one address, samples
 * the streams every second like the agent, and reports its measurements at the end.
 */
import { nowMs } from '../../../agent/clock.ts';
import { NoiseMeter } from '../../../agent/rtp/figures/noise-meter.ts';
import { Sampler } from '../../../agent/rtp/figures/sampler.ts';
import type { StreamRecord } from '../../../agent/rtp/figures/stream-record.ts';
import { createMediaEngine } from '../../../agent/rtp/threads/media-client.ts';
import { startMediaThread } from '../../../agent/rtp/threads/media-thread-host.ts';

export type DriverOrder = {
  readonly streams: number;
  readonly address: string;
  readonly peerPort: number;
  readonly direction: 'BOTH' | 'SEND';
};

/** The jitter is that of each endpoint, in the order of the ports. */
export type DriverReport = {
  readonly jitterUs: readonly number[];
  readonly lost: number;
  readonly skipped: number;
  readonly planned: number;
};

async function drive({ streams, address, peerPort, direction }: DriverOrder): Promise<void> {
  const thread = await startMediaThread({ adapter: 'ffi', capacity: streams });
  const engine = createMediaEngine(thread.connect());
  const opened = await engine.open(
    address,
    0,
    Array.from({ length: streams }, (_, i) => i),
  );
  const remote = { address, rtpPort: peerPort, rtcpPort: peerPort };
  const format = { kind: 'AUDIO', codec: 'PCMU', sendPayloadType: 0, receivePayloadType: 0, packetMs: 20 } as const;
  for (const stream of opened) stream.start({ remote, format, source: 'TONE', direction });
  const sampler = new Sampler(thread.memory);
  const noise = new NoiseMeter(thread.memory);
  const records: StreamRecord[] = [];
  const collect = (): void => void records.push(...sampler.sample(nowMs()).records);
  const timer = setInterval(collect, 1000);
  process.once('message', async () => {
    clearInterval(timer);
    const { slotsSkipped, slotsPlanned } = noise.read();
    await engine.close();
    while (records.length < streams) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
    await thread.close();
    const jitterUs = new Array<number>(streams);
    for (const record of records) jitterUs[record.endpointNumber] = record.jitterMeanMs * 1000;
    const lost = records.reduce((sum, record) => sum + record.lost, 0);
    const report: DriverReport = { jitterUs, lost, skipped: slotsSkipped, planned: slotsPlanned };
    process.send!(report, () => process.disconnect());
  });
  process.send!(opened.map((stream) => stream.rtpPort));
}

// If a measurement fails, the process ends without a message.
process.once('disconnect', () => process.exit());
if (process.send) process.once('message', (order: DriverOrder) => void drive(order));
