/**
 * What the demo provisions: one project, the workers of two agents, and callers that call callees directly (no PBX is needed).
 */
import { stringify } from 'yaml';

export type DemoPlan = {
  readonly endpoints: number;
  readonly buildupSeconds: number;
  readonly durationSeconds: number;
};

export const DEMO_WORKERS = ['demo-1', 'demo-2'] as const;

export function demoProvision(plan: DemoPlan, apiKey: string, joinTokens: readonly string[]): string {
  const group = (name: string, role: 'CALLER' | 'CALLEE', callee: object) => ({
    name,
    registrar: 'cloud',
    callee,
    placement: { mode: 'REGION', region: 'local' },
    audioCodecs: ['PCMU'],
    mediaTracks: [{ kind: 'AUDIO', source: 'TONE' }],
    subPopulations: [{ name: 'all', role, endpoints: plan.endpoints }],
  });
  return stringify({
    organizations: [
      {
        slug: 'demo',
        name: 'Demo',
        users: [{ email: 'demo@carillon.example', name: 'Demo', role: 'OWNER' }],
        apiKeys: [{ name: 'demo', user: 'demo@carillon.example', key: apiKey }],
        workers: DEMO_WORKERS.map((name, i) => ({ name, region: 'local', capacity: 2000, joinToken: joinTokens[i] })),
        projects: [
          {
            slug: 'demo',
            name: 'Demo project',
            description: 'Two agents on this machine call each other over loopback',
            tests: [
              {
                slug: 'first-calls',
                name: `${plan.endpoints} callers, ${plan.endpoints} callees`,
                buildup: plan.buildupSeconds,
                durationSeconds: plan.durationSeconds,
                groups: [
                  group('callers', 'CALLER', { mode: 'GROUP', group: 'callees' }),
                  group('callees', 'CALLEE', { mode: 'RECEIVE' }),
                ],
              },
            ],
          },
        ],
      },
    ],
  });
}
