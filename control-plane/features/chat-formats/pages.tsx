/** What the formats of chats add to the dashboard. */
import type { FeaturePages } from '../../dashboard/feature.ts';

export const PAGES: FeaturePages = {
  webhookFormats: {
    SLACK: { name: 'Slack', label: 'Slack', placeholder: 'https://hooks.slack.com/services/…' },
    TEAMS: { name: 'Teams', label: 'Microsoft Teams', placeholder: 'https://….webhook.office.com/…' },
    PAGERDUTY: {
      name: 'PagerDuty',
      label: 'PagerDuty',
      placeholder: 'https://events.pagerduty.com/v2/enqueue',
      isUsualUrl: true,
      key: { label: 'Integration key', description: 'PagerDuty: the service, Integrations, Events API v2' },
    },
  },
};
