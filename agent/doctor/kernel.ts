/** Evaluates kernel settings for an agent. Pure: the contents of /proc are arguments; null if the host lacks them. */
import { type CheckResult, ok, unknown, warn } from '@carillon/proto/check-result.ts';

/** The sockets of an endpoint: RTP and RTCP of audio and of video; there is a margin for sockets without media. */
const SOCKETS_AN_ENDPOINT = 4;
const OTHER_FILES = 200;

export function openFiles(limit: number, capacity: number): CheckResult {
  const needed = capacity * SOCKETS_AN_ENDPOINT + OTHER_FILES;
  const said = `${Number.isFinite(limit) ? limit : 'unlimited'}, ${needed} for ${capacity} endpoints with audio and video`;
  return limit >= needed
    ? ok('open files', said)
    : warn(
        'open files',
        said,
        `LimitNOFILE=${needed} in the unit, or ulimit -n ${needed}; or a smaller CARILLON_CAPACITY`,
      );
}

/** A burst of datagrams of 1,500 bytes that a signalling socket must hold, in kernel accounting (with overhead). */
const BUFFER_BYTES = 4 * 1024 * 1024;

export function socketBuffers(rmemMax: string | null, wmemMax: string | null): CheckResult[] {
  return [['rmem_max', rmemMax] as const, ['wmem_max', wmemMax] as const].map(([name, text]) => {
    const check = `net.core.${name}`;
    if (text === null) return unknown(check, 'this host does not report it');
    const bytes = Number(text);
    return bytes >= BUFFER_BYTES
      ? ok(check, `${bytes} bytes`)
      : warn(check, `${bytes} bytes: bursts of SIP may be dropped`, `sysctl -w ${check}=${BUFFER_BYTES}`);
  });
}

export type PortSpan = { readonly from: number; readonly to: number };

/** The RTP ports must lie outside the kernel's range for outgoing connections (ip-sysctl: ip_local_port_range). */
export function reservedPorts(rtp: PortSpan, localRange: string | null, reserved: string | null): CheckResult {
  const check = 'RTP port range';
  const own = `${rtp.from}-${rtp.to}`;
  const [from, to] = (localRange ?? '').trim().split(/\s+/).map(Number);
  if (from === undefined || to === undefined)
    return unknown(check, `${own}; this host does not report its range of ephemeral ports`);
  const first = Math.max(rtp.from, from);
  const last = Math.min(rtp.to, to);
  if (first > last) return ok(check, `${own}, apart from the kernel's own ${from}-${to}`);
  const kept = (reserved ?? '')
    .trim()
    .split(',')
    .filter((text) => text !== '')
    .map((text) => text.split('-').map(Number))
    .map(([a = 0, b = a]) => ({ from: a, to: b }));
  let next = first;
  for (const { from: a, to: b } of kept.sort((x, y) => x.from - y.from)) if (a <= next && b >= next) next = b + 1;
  if (next > last) return ok(check, `${own}, reserved`);
  return warn(
    check,
    `${own}: the kernel gives ${next}-${last} of it to other programs' connections`,
    `sysctl -w net.ipv4.ip_local_reserved_ports=${own}, or a range outside ${from}-${to} (CARILLON_RTP_PORTS)`,
  );
}

/** Each line of /proc/net/udp(6) is a socket; its second column is ADDRESS:PORT in hexadecimal (proc(5)). */
export function portsInUse(rtp: PortSpan, tables: readonly (string | null)[]): CheckResult {
  const check = 'RTP ports in use';
  const known = tables.filter((text) => text !== null);
  if (known.length === 0) return unknown(check, 'this host does not report it');
  const ports = new Set(
    known
      .flatMap((text) => [...text.matchAll(/^[ \t]*\d+: [0-9A-F]+:([0-9A-F]{4}) /gm)])
      .map((match) => Number.parseInt(match[1] as string, 16))
      .filter((port) => port >= rtp.from && port <= rtp.to),
  );
  const all = rtp.to - rtp.from + 1;
  const said = `${ports.size} of ${all} are in use now`;
  return ports.size < all / 2
    ? ok(check, said)
    : warn(check, said, 'another range (CARILLON_RTP_PORTS): ports in use are skipped, and few pairs remain');
}

/** Two readings of /proc/stat's first line: user nice system idle iowait irq softirq steal (proc(5)). */
export function processorTime(before: string | null, after: string | null, processors: number): CheckResult[] {
  const [one, two] = [before, after].map((text) =>
    text?.split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number),
  );
  if (!one || !two) return [unknown('processor', 'this host does not report it')];
  const spent = two.map((value, i) => value - (one[i] ?? 0));
  const all = spent.reduce((sum, value) => sum + value, 0);
  const share = (...columns: number[]) =>
    all > 0 ? (100 * columns.reduce((sum, i) => sum + (spent[i] ?? 0), 0)) / all : 0;
  const idle = share(3, 4);
  const steal = share(7);
  return [
    idle >= 30
      ? ok('processor', `${idle.toFixed(0)} % idle on ${processors} processors`)
      : warn(
          'processor',
          `${idle.toFixed(0)} % idle on ${processors} processors`,
          'stop other programs on this host, or run fewer calls from it',
        ),
    steal < 2
      ? ok('steal', `${steal.toFixed(1)} %`)
      : warn(
          'steal',
          `${steal.toFixed(1)} %: other virtual machines take processor time; runs will be ${steal < 10 ? 'SUSPECT' : 'VOID'}`,
          'a machine with dedicated processors',
        ),
  ];
}

/** Date.now() counts whole milliseconds, and two readings are not one. */
const STEP_MS = 5;

/** Reports how far the wall clock was set during the check. */
export function clockSteps(movedMs: number): CheckResult {
  const check = 'clock steps';
  if (Math.abs(movedMs) < STEP_MS) return ok(check, 'none during the check');
  return warn(
    check,
    `the wall clock was set by ${(-movedMs).toFixed(0)} ms during the check: receive times are wrong by as much`,
    'one time service that slews (chrony, makestep only at start), and no other time service',
  );
}
