/**
 * Entry point of the media thread. With FFI sockets it never returns to its event loop: it sleeps until the next
 * millisecond, runs a turn, and reads commands from ports itself; with node:dgram it uses timers and messages. Without
 * an active stream it waits for the doorbell, at no cost.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { DtlsContext } from '../../net/ciphers/dtls.ts';
import { chooseSrtpCiphers } from '../../net/ciphers/srtp-ciphers-open.ts';
import { becomeRealtime, NICE, type Pacing, preferThread } from '../../net/pacing.ts';
import { type OpenedStreamSockets, openStreamSockets } from '../../net/streams/stream-sockets-open.ts';
import { DOORBELL, ENDED, mapMediaMemory } from '../figures/stream-memory.ts';
import { MediaLoop } from '../loop/media-loop.ts';
import { systemRandom } from '../loop/system-random.ts';
import { CommandQueue } from './command-queue.ts';
import type { MediaThreadData, MediaThreadReady, OwnerCommand } from './media-commands.ts';

/** The part of a tick that commands may take. */
const COMMANDS_MS = 0.4;
const TICK_MS = 1;
const CPU_EVERY_MS = 1000;

const data = workerData as MediaThreadData;
const owner = parentPort!;
const memory = mapMediaMemory(data.buffer, data.capacity);
const { doorbell, noise } = memory;

const ciphers = chooseSrtpCiphers(data.srtpCiphers);
const dtls = openDtls();

/** Without handshakes, streams that require one stay silent and report the reason; others work. */
function openDtls(): DtlsContext | null {
  if (ciphers.adapter !== 'openssl') return null;
  try {
    return new DtlsContext(data.dtlsIdentity);
  } catch {
    return null;
  }
}

const opened: { sockets?: OpenedStreamSockets } = {};
const loop = new MediaLoop(
  memory,
  { ...data, random: systemRandom, ciphers, dtls, onSource: (row, source) => commands.ask(row, source) },
  (options) => {
    opened.sockets = openStreamSockets(data.adapter, options);
    return opened.sockets.sockets;
  },
);
const { sockets, pacing, libc, fallbackReason } = opened.sockets!;
const commands = new CommandQueue(memory, loop, owner);

// Created now, so that the first call of a kind does not delay the others.
loop.prepare();

let cpuAtMs = 0;
function noteCpu(nowMs: number, everyMs = CPU_EVERY_MS): void {
  if (nowMs < cpuAtMs + everyMs) return;
  cpuAtMs = nowMs;
  const { user, system } = process.threadCpuUsage();
  noise.cpuMs[0] = (user + system) / 1000;
  noise.cpuAtMs[0] = nowMs;
}

function end(): void {
  loop.closeAll();
  Atomics.store(doorbell, ENDED, 1);
}

function runBlocking({ sleepUntilMs }: Pacing): void {
  // Clients ring it after sending a command; it is read before the ports are, so that no command is missed.
  let heard = Atomics.load(doorbell, DOORBELL);
  let waiting = true;
  while (!commands.ended) {
    if (!loop.busy && !waiting) {
      noteCpu(sockets.nowMs(), 0);
      Atomics.wait(doorbell, DOORBELL, heard);
      noteCpu(sockets.nowMs(), 0);
      loop.resume();
    } else sleepUntilMs(loop.nextTickMs);
    loop.turn(loop.nextTickMs + TICK_MS);
    const rung = Atomics.load(doorbell, DOORBELL);
    if (waiting || rung !== heard) {
      heard = rung;
      waiting = !commands.serve(sockets.nowMs() + COMMANDS_MS);
    }
    noteCpu(sockets.nowMs());
  }
  end();
  owner.close();
}

function runOnEvents(): void {
  let timer: NodeJS.Timeout | undefined;
  const turn = (): void => {
    timer = undefined;
    const nowMs = sockets.nowMs();
    loop.turn(nowMs);
    noteCpu(nowMs);
    wake();
  };
  const wake = (): void => {
    if (!loop.busy || timer) return;
    timer = setTimeout(turn, Math.max(0, loop.nextTickMs - sockets.nowMs()));
  };
  const served = (work: () => void): void => {
    if (!loop.busy) loop.resume();
    work();
    wake();
  };
  owner.on('message', (command: OwnerCommand) => {
    commands.obey(command);
    if (command.op === 'client') {
      command.port.on('message', (order) => served(() => commands.execute(command.port, order)));
      command.port.on('close', () => served(() => commands.leave(command.port)));
    }
    if (!commands.ended) return;
    clearTimeout(timer);
    end();
    process.exit();
  });
}

const NO_LIBC = 'real-time priority needs FFI';
const realtimeFault = data.realtime ? (libc === null ? NO_LIBC : becomeRealtime(libc)) : null;
owner.postMessage({
  adapter: sockets.adapter,
  stamps: sockets.stamps,
  fallbackReason,
  realtime: data.realtime && realtimeFault === null,
  nice: preferThread(NICE.MEDIA),
  realtimeFault,
  srtpCiphers: ciphers.adapter,
  srtpFallbackReason: ciphers.fallbackReason,
  fingerprint: dtls && { hash: 'sha-256', value: dtls.fingerprint },
} satisfies MediaThreadReady);
if (pacing) runBlocking(pacing);
else runOnEvents();
