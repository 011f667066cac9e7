/** Why a run did not start, or has no result, and what to do: sentences of docs/reference/errors.md. */
import type { RunErrorCode } from './words.ts';

type RunErrorMeaning = { readonly when: string; readonly remedy: string };

export const RUN_ERRORS: Readonly<Record<RunErrorCode, RunErrorMeaning>> = {
  NO_ONLINE_WORKER: {
    when: 'No agent is online where a group of the test places its calls: in its region, on its worker, or with its transport.',
    remedy:
      'Start an agent there, or change where the group places its calls. The page Workers shows which agents are online.',
  },
  INSUFFICIENT_CAPACITY: {
    when: 'The agents that are online can carry fewer endpoints or calls than the test asks for.',
    remedy: 'Wait until other runs have ended, start more agents, or lower the load.',
  },
  WORKER_REFUSED: {
    when: 'An agent refused its part of the run, or did not get ready in time.',
    remedy: 'The message names the agent and its reason. The log of the agent, and `carillon-agent doctor`, say more.',
  },
  PLAN_ENDPOINT_LIMIT: {
    when: 'The test has more endpoints than the plan of the organization includes.',
    remedy: 'Lower the number of endpoints, or ask the owner of the installation for another plan.',
  },
  PLAN_RUN_LIMIT: {
    when: 'As many runs as the plan of the organization includes are in progress.',
    remedy: 'Wait until one of them has ended, or ask the owner of the installation for another plan.',
  },
  CREDITS_EXHAUSTED: {
    when: 'The endpoint minutes that the plan of the organization includes in a month are used.',
    remedy: 'Wait for the next month (UTC), or ask the owner of the installation for another plan.',
  },
  SUBSCRIPTION_INACTIVE: {
    when: 'The organization has no subscription. No run of this version ends by it.',
    remedy: 'Ask the owner of the installation.',
  },
  REGISTRAR_MISSING: {
    when: 'A registrar of the test was deleted.',
    remedy: 'Choose another registrar in the test, and save it.',
  },
  SIP_ACCOUNTS_MISSING: {
    when: 'A registrar has too few SIP accounts for the endpoints of a group, or an account that the group names is missing.',
    remedy: 'Add SIP accounts to the registrar, or lower the number of endpoints.',
  },
  SECRET_UNREADABLE: {
    when: 'A stored password cannot be read with the keys of this installation.',
    remedy: 'Give the control plane the keys that it had when the password was stored, or store the password again.',
  },
  MEDIA_MISSING: {
    when: 'A media file of the test was deleted, or does not get to the agent.',
    remedy: 'Upload the file again, or choose another one in the test.',
  },
  TARGET_NOT_ALLOWED: {
    when: 'The policy of an agent does not permit its calls to this target or number.',
    remedy: "Choose another target, or ask the host's owner to allow it in `policy.yaml`.",
  },
  ALL_WORKERS_LOST: {
    when: 'The connection to every agent of the run was lost, and none came back in time.',
    remedy: 'Look at the hosts of the agents and at the network between, then run again.',
  },
  EXECUTION_TIME_EXCEEDED: {
    when: 'The run lasted longer than its test permits.',
    remedy: 'Raise the maximum execution time of the test, or find out from its events what the run waited for.',
  },
  ABORTED: {
    when: 'A rule of the test (`abortOn`) ended the run.',
    remedy: 'The message names the rule. The failures on the page of the run say what happened to the calls.',
  },
  INTERNAL: {
    when: 'The control plane failed. This is a fault of Carillon.',
    remedy: 'Run again. The log of the control plane has the details for a report.',
  },
};
