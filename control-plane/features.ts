/**
 * The features of this installation, each a folder of `features/`, and what it does. Without its folder and its line here, a
 * feature is gone: `npm run generate` writes the sums `feature-sums/*.ts`, which join the features to the core.
 */
export const FEATURES = {
  backup: 'all rows in a file, and back into an empty database',
  branding: 'name, logo and colour of an organization on status pages, in reports and in mails',
  canary: 'a probe beside a load: what other callers get meanwhile',
  capacity: 'searches for the highest load that a system carries',
  'chat-formats': 'webhooks that send messages to Slack, Microsoft Teams and PagerDuty',
  citus: 'measured tables over the nodes of a Citus cluster',
  comparison: 'compares runs: differences beyond chance, a test from run to run',
  'identity-provider': 'a log-in through an OpenID Connect provider',
  mail: 'mail through an SMTP server: about incidents, and links for people',
  passkeys: 'a log-in by the signature of an authenticator',
  'password-reset': 'links that set a password, mailed to people who forgot theirs, or made by the operator',
  'saved-filters': 'filters of runs and calls that people keep for themselves',
  'second-factor': 'codes of an authenticator after the password',
  customers: 'organizations as customers of the owner of the installation; use by project and month',
  pools: 'agents that enroll themselves by one token, and come and go',
  'waiting-runs': 'runs that wait until their agents are online',
  exports: 'a run as files: CSV, HTML, pcapng; JUnit and Markdown of the command line',
  'share-links': 'addresses at which anybody reads the report of a run',
  'status-page': 'a public page of each project with the state of its probes',
} as const;
