/** Checks this host: limits, the RTP port range, processors, punctual wake-ups, the I/O adapter. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CheckResult, fail, ok, unknown, warn } from '@carillon/proto/check-result.ts';
import { nowMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { provenLibc } from '../net/datagrams/open-datagram-port.ts';
import { createPacing } from '../net/pacing.ts';
import { openFilesLimit } from '../net/streams/open-files.ts';
import { clockSteps, openFiles, portsInUse, processorTime, reservedPorts, socketBuffers } from './kernel.ts';

const proc = (name: string): Promise<string | null> => readFile(`/proc/${name}`, 'latin1').catch(() => null);

const WATCH_MS = 1000;

export async function examineHost(config: Config): Promise<CheckResult[]> {
  const before = await proc('stat');
  const clock = wallOffsetMs();
  const lateness = wakingUp();
  await sleep(WATCH_MS);
  return [
    adapter(config),
    reservedPorts(
      config.rtpPorts,
      await proc('sys/net/ipv4/ip_local_port_range'),
      await proc('sys/net/ipv4/ip_local_reserved_ports'),
    ),
    portsInUse(config.rtpPorts, [await proc('net/udp'), await proc('net/udp6')]),
    openFiles(openFilesLimit(), config.capacity),
    ...socketBuffers(await proc('sys/net/core/rmem_max'), await proc('sys/net/core/wmem_max')),
    ...processorTime(before, await proc('stat'), availableParallelism()),
    clockSteps(wallOffsetMs() - clock),
    lateness,
  ];
}

/** Compares the wall clock with the monotonic one: slewing changes both, a step only one. */
const wallOffsetMs = (): number => performance.timeOrigin + performance.now() - Date.now();

function adapter(config: Config): CheckResult {
  const check = 'I/O adapter';
  if (config.io === 'dgram')
    return warn(check, 'node:dgram is configured', 'unset CARILLON_IO: 3 times the streams, exact receive times');
  const libc = provenLibc();
  if (typeof libc !== 'string') return ok(check, 'batched system calls with the kernel’s receive times');
  const cure = '64-bit Linux with glibc';
  return config.io === 'ffi' ? fail(check, libc, cure) : warn(check, `node:dgram, because ${libc}`, cure);
}

/** Checks the wake-up accuracy of a thread that sleeps until an instant, which limits the precision of RTP. */
function wakingUp(): CheckResult {
  const check = 'waking up on time';
  const libc = provenLibc();
  if (typeof libc === 'string') return unknown(check, 'it cannot be measured without batched I/O');
  const pacing = createPacing(libc);
  const late: number[] = [];
  for (let due = nowMs() + 5, n = 0; n < 100; n++, due += 5) {
    pacing.sleepUntilMs(due);
    late.push(nowMs() - due);
  }
  const p99 = late.sort((a, b) => a - b)[98] as number;
  const text = `p99 ${p99.toFixed(2)} ms late`;
  return p99 <= 5
    ? ok(check, text)
    : warn(
        check,
        `${text}: RTP packets would be sent equally late`,
        'a less busy host, or CARILLON_REALTIME with CAP_SYS_NICE',
      );
}
