/** The formats of webhooks that it adds, in the order in which people choose from them. */
export const WEBHOOK_FORMATS = {
  SLACK: { hasSecretUrl: true },
  TEAMS: { hasSecretUrl: true },
  PAGERDUTY: {
    key: { name: 'integration key', of: 'its service (Events API v2)' },
    takesOnlyIncidents: true,
  },
} as const;
