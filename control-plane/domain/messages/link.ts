/** The link from an announcement to its details. */
import type { Telling } from '../../contract/notify/announcement.ts';

/** The page of the dashboard; null: the installation's public address is not set, or the announcement has no page. */
export function linkOf(a: Telling, publicUrl: string | null): string | null {
  const path = pathOf(a);
  return publicUrl === null || path === null ? null : `${publicUrl.replace(/\/+$/, '')}${path}`;
}

/** The link that opens the form of an acknowledgement; null: nothing is left to acknowledge, or there is no link. */
export const acknowledgeLinkOf = ({ kind }: Telling, link: string | null): string | null =>
  link !== null && (kind === 'incident.opened' || kind === 'incident.escalated') ? `${link}?acknowledge=1` : null;

function pathOf(a: Telling): string | null {
  const project = `/projects/${a.projectId}`;
  switch (a.kind) {
    case 'incident.opened':
    case 'incident.escalated':
    case 'incident.resolved':
      return `${project}/probes/${a.data.probeId}/incidents/${a.data.incidentId}`;
    case 'probe.status_changed':
      return a.data.testRunId === null ? `${project}/probes/${a.data.probeId}` : `${project}/runs/${a.data.testRunId}`;
    case 'test_run.status_changed':
      return `${project}/runs/${a.data.testRunId}`;
    case 'worker.status_changed':
      return '/workers';
    case 'webhook.test':
      return null;
  }
}
