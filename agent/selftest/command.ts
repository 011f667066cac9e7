/** `carillon-agent selftest`: compares injected impairments with the reported figures. */
import { parseArgs } from 'node:util';
import { selfTest } from './run.ts';
import { selfTestTable } from './table.ts';

const USAGE =
  'Usage: carillon-agent selftest [--json] [--io auto|ffi|dgram] [--seconds 4..60] [--streams 1..100] [--seed N] [--address ADDRESS]';

function whole(name: string, text: string, least: number, greatest: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > greatest)
    throw new Error(`--${name} ${text} is not an integer from ${least} to ${greatest}\n${USAGE}`);
  return value;
}

/**
 * Prints the table and returns the exit code: 0 if each figure is within its interval. Rejects with a text for the
 * user.
 */
export async function selfTestCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      io: { type: 'string', default: 'auto' },
      seconds: { type: 'string', default: '20' },
      streams: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      address: { type: 'string', default: '127.0.0.1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(
      `${USAGE}\n\nInjected impairments and reported figures side by side: does this host measure correctly?`,
    );
    return 0;
  }
  const { io } = values;
  if (io !== 'auto' && io !== 'ffi' && io !== 'dgram') throw new Error(`--io ${io} is unknown\n${USAGE}`);
  const result = await selfTest({
    adapter: io,
    seconds: whole('seconds', values.seconds, 4, 60),
    streams: whole('streams', values.streams, 1, 100),
    seed: whole('seed', values.seed, 0, 1_000_000),
    address: values.address,
  });
  console.log(values.json ? JSON.stringify(result, null, 2) : selfTestTable(result));
  return result.failures === 0 ? 0 : 1;
}
