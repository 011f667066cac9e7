/** An event for PagerDuty's Events API v2: incidents only, one alert each, identified by dedup_key. */
import type { BodyOf } from '../../../domain/messages/message.ts';
import { plain, wordingOf } from '../../../domain/messages/wording.ts';

/** `routingKey`: the integration key, which is the webhook's secret. */
export const pagerDutyBody: BodyOf = (a, routingKey, link) => {
  const { headline, facts } = wordingOf(a);
  const key = routingKey.reveal();
  const about = 'incidentId' in a.data ? a.data : null;
  const dedupKey = about?.incidentId ?? `test ${a.at.toISOString()}`;
  if (a.kind === 'incident.resolved') return { routing_key: key, event_action: 'resolve', dedup_key: dedupKey };
  const severity = about === null ? 'info' : about.severity === 'DOWN' ? 'critical' : 'warning';
  return {
    routing_key: key,
    event_action: 'trigger',
    dedup_key: dedupKey,
    client: 'Carillon',
    ...(link !== null && { client_url: link, links: [{ href: link, text: 'Open in Carillon' }] }),
    payload: {
      summary: plain(about?.reason ? `${headline}: ${about.reason}` : headline, 1024),
      source: plain(a.projectName, 200),
      severity,
      timestamp: a.at.toISOString(),
      ...(about && { component: plain(about.probeName, 200) }),
      ...(about?.region && { group: plain(about.region, 200) }),
      class: a.kind,
      custom_details: Object.fromEntries(facts.map(([label, value]) => [label, plain(value, 500)])),
    },
  };
};
