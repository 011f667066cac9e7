/** One frame of each kind. golden.json has their bytes: a new kind is added there, and a changed line is a change of the protocol. */
import type { wire } from '../index.ts';

const id = (n: number): Uint8Array => new Uint8Array(16).fill(n);

export const GOLDEN_AGENT_FRAMES: Record<string, wire.agent.v1.AgentFrame.$Properties> = {
  hello: {
    hello: {
      publicKey: new Uint8Array(32).fill(1),
      signature: new Uint8Array(64).fill(2),
      joinToken: 'token',
      agentVersion: '0.1.0',
      bootId: id(3),
      outboxId: id(4),
      allocationIds: [id(5), id(6)],
      sipListeners: [{ address: '127.0.0.1', port: 5060 }],
      sipAdapter: 'ffi',
      rtpAdapter: 'dgram',
      capacity: 1000,
      audioCodecs: ['PCMU', 'PCMA'],
      videoCodecs: [],
      encryptions: [],
      mediaSources: [],
      hostname: 'edge',
      cpus: 4,
      platform: 'linux x64',
      policy: {
        targetNetworks: ['10.0.0.0/8'],
        maxCallsPerSecond: 50,
        maxEndpoints: 1000,
        maxDurationSeconds: 3600,
        refusedNumbers: ['^112$'],
      },
    },
  },
  batch: { batch: { number: 7, zstd: false, facts: new Uint8Array([10, 2, 90, 0]) } },
  commandReceipt: { commandReceipt: { id: 300 } },
  beat: { beat: { unixMs: 1.5, echoUnixMs: 0 } },
  mediaRequest: { mediaRequest: { sha256: new Uint8Array(32).fill(7), offset: 1048576 } },
  policy: { policy: { targetNetworks: ['10.0.0.0/8'], targetDomains: ['*.example.net'], maxMinutesADay: 90 } },
  keyChange: {
    keyChange: {
      publicKey: new Uint8Array(32).fill(1),
      consent: new Uint8Array(64).fill(2),
      proof: new Uint8Array(64).fill(3),
    },
  },
  storageFault: { storageFault: { fault: 'no space left on device' } },
  leaving: { leaving: { done: true } },
};

export const GOLDEN_CONTROL_FRAMES: Record<string, wire.agent.v1.ControlFrame.$Properties> = {
  challenge: { challenge: { nonce: new Uint8Array(32).fill(9), unixMs: 1795252140330 } },
  welcome: {
    welcome: {
      workerId: id(1),
      name: 'edge-1',
      region: 'local',
      unixMs: 1795252140330,
      nextBatch: 12,
      stopAllocationIds: [id(2)],
      beatSeconds: 5,
    },
  },
  farewell: { farewell: { code: 'GOING_AWAY', message: 'bye', retry: true } },
  batchReceipt: { batchReceipt: { number: 12 } },
  mediaChunk: {
    mediaChunk: { sha256: new Uint8Array(32).fill(7), offset: 1048576, totalBytes: 1048580, data: new Uint8Array(4) },
  },
  allocate: {
    command: {
      id: 5,
      allocate: {
        allocationId: id(1),
        runId: id(2),
        role: 1,
        group: {
          registrarUri: 'sip:pbx',
          nextHop: 'pbx:5060',
          route: '<sip:proxy;lr>',
          domain: 'pbx',
          register: true,
          registerExpiresSeconds: 3600,
          audioCodecs: ['PCMU'],
          videoCodecs: [],
          packetMs: 20,
          audioSource: 'TONE',
          audioDirection: 'BOTH',
          rtcpMux: true,
          takesAnyCall: false,
        },
        endpoints: {
          number: [0, 1],
          listener: [0, 0],
          registerAtMs: [0, 10],
          callAtMs: [1000, 1010],
          user: ['e0', 'e1'],
          accountUser: ['1001', '1002'],
          accountPassword: ['a', 'b'],
          targetUri: ['sip:9@pbx', 'sip:9@pbx'],
        },
        callDurationMs: 5000,
        answerTimeoutMs: 60000,
        receiveWindowMs: 7000,
        hardEndMs: 127000,
        sampleIntervalMs: 1000,
        keepMessages: true,
      },
    },
  },
  start: { command: { id: 6, start: { runId: id(1), allocationIds: [id(2)], startUnixMs: 1795252140330 } } },
  finish: { command: { id: 7, finish: { runId: id(1), allocationIds: [id(2)] } } },
  stop: { command: { id: 8, stop: { runId: id(1), allocationIds: [id(2)], reason: 'cancelled' } } },
  breakOff: {
    command: {
      id: 9,
      breakOff: { runId: id(1), allocationIds: [id(2)], reason: 'too many failures', untilUnixMs: 1795252140330 },
    },
  },
  changeLoad: {
    command: {
      id: 10,
      changeLoad: { runId: id(1), allocationIds: [id(2)], steps: [{ seconds: 60, callsPerSecond: 2.5 }] },
    },
  },
  changeKey: { command: { id: 11, changeKey: {} } },
  keyReceipt: { keyReceipt: { publicKey: new Uint8Array(32).fill(1), refused: '' } },
  beatOfControlPlane: { beat: { unixMs: 1795252140330, echoUnixMs: 1.5 } },
};
