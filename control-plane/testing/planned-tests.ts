/** Tests and registrars for the planning of runs, as plain data. */
import { defaultsOf, GROUP_SETTINGS } from '../contract/test-settings/settings.ts';
import type { TestConfig } from '../contract/test-settings/test.ts';
import type { RegistrarPlan } from '../domain/run/plan/plan.ts';

export const registrar = (id: string, more: Partial<RegistrarPlan> = {}): RegistrarPlan => ({
  id,
  uri: 'sip:pbx.example:5070',
  isCloud: false,
  register: true,
  outboundProxyUri: null,
  protocol: 'UDP',
  tls: null,
  ...more,
});

export const cloud = registrar('cloud', { uri: 'sip:carillon.invalid', isCloud: true, register: false });

export const config = (from: string, to: string): TestConfig => {
  const common = {
    ...defaultsOf(GROUP_SETTINGS),
    mediaTracks: [],
    placement: { mode: 'REGION' as const, region: 'local' },
  };
  return {
    groups: [
      {
        ...common,
        id: 'g1',
        name: 'callers',
        registrarId: from,
        callee: { mode: 'GROUP', groupId: 'g2' },
        subPopulations: [{ id: 's1', name: 'all', role: 'CALLER', endpoints: 3, calls: 1, sipAccountIds: null }],
      },
      {
        ...common,
        id: 'g2',
        name: 'callees',
        registrarId: to,
        callee: { mode: 'RECEIVE' },
        subPopulations: [
          { id: 's2', name: 'all', role: 'CALLEE', endpoints: 3, calls: 1, sipAccountIds: ['a4', 'a5', 'a6'] },
        ],
      },
    ],
    load: { shape: 'BUILDUP' },
    breaker: null,
    abortOn: null,
    thresholds: [],
    maxExecutionSeconds: null,
  };
};
