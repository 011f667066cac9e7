/** What the formats of chats add to the control plane. */
import type { Hooks } from '../../ports.ts';
import { pagerDutyBody } from './domain/pagerduty.ts';
import { slackBody } from './domain/slack.ts';
import { teamsBody } from './domain/teams.ts';

export const HOOKS: Hooks = {
  webhookBodies: { SLACK: slackBody, TEAMS: teamsBody, PAGERDUTY: pagerDutyBody },
};
