/** A client thread for the engine's test: opens one stream over its own connection and reports its port to the test. */
import { parentPort, workerData } from 'node:worker_threads';
import { createMediaEngine } from '../../rtp/threads/media-client.ts';
import type { MediaConnection } from '../../rtp/threads/media-commands.ts';

const engine = createMediaEngine(workerData as MediaConnection);
const [stream] = await engine.open('127.0.0.1', 9, [1]);
parentPort!.postMessage({ rtpPort: stream!.rtpPort });
parentPort!.on('message', async ({ rtpPort }: { rtpPort: number }) => {
  stream!.start({
    remote: { address: '127.0.0.1', rtpPort, rtcpPort: rtpPort + 1 },
    format: { kind: 'AUDIO', codec: 'PCMA', sendPayloadType: 8, receivePayloadType: 8, packetMs: 20 },
    source: 'SPEECH',
    direction: 'BOTH',
  });
  while (stream!.firstPacketAtMs() === null) await new Promise((resolve) => setTimeout(resolve, 10));
  parentPort!.postMessage({ firstPacketAtMs: stream!.firstPacketAtMs() });
  await engine.close();
  parentPort!.close();
});
