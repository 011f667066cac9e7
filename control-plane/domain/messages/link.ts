/** The link from an announcement to its details. */
import type { Telling } from '../../contract/notify/announcement.ts';

/** The page of the dashboard; null: the installation's public address is not set. */
export function linkOf(a: Telling, publicUrl: string | null): string | null {
  return publicUrl === null ? null : `${publicUrl.replace(/\/+$/, '')}${pathOf(a)}`;
}

/** The link that opens the form of an acknowledgement; null: nothing is left to acknowledge, or there is no link. */
export const acknowledgeLinkOf = ({ kind }: Telling, link: string | null): string | null =>
  link !== null && (kind === 'incident.opened' || kind === 'incident.escalated') ? `${link}?acknowledge=1` : null;

function pathOf(a: Telling): string {
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
      return `${project}/webhooks/${a.data.webhookId}`;
  }
}
