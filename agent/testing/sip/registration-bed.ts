/** An endpoint that registers, in virtual time, and what it reports. */
import { RegistrationLog, VirtualEngine } from './virtual.ts';

type Bed = { virtual: VirtualEngine; log: RegistrationLog; agent: ReturnType<VirtualEngine['agent']> };

export function bed(options: Parameters<VirtualEngine['agent']>[0] = {}): Bed {
  const virtual = new VirtualEngine();
  return { virtual, log: new RegistrationLog(), agent: virtual.agent(options) };
}
