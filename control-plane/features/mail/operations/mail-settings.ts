/** Recipients of mail about a project's incidents. */
import type { Output } from '../../../contract/catalogue.ts';
import { changing, requireMatch } from '../../../operations/request/change.ts';
import type { Handler } from '../../../operations/request/perform.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { lockProject } from '../../../store/project/projects.ts';
import { lastMails, mailSettings, putMailSettings } from '../store/mails.ts';

const LAST_MAILS = 20;
const NOBODY = { recipients: [], version: 0 };

async function view({ mail }: Ports, tx: Tx, projectId: string): Promise<Output<'getMailSettings'>> {
  const { recipients, version } = (await mailSettings(tx, projectId)) ?? NOBODY;
  const mails = await lastMails(tx, projectId, LAST_MAILS);
  return {
    recipients,
    version,
    isConfigured: mail !== null,
    lastMails: mails.map((m) => ({ ...m, createdAt: m.createdAt.toISOString() })),
  };
}

export const getMailSettings: Handler<'getMailSettings'> = ({ ports }, { projectId }) =>
  view(ports, ports.database.db, projectId);

export const updateMailSettings = changing<'updateMailSettings'>(async (context, tx, { projectId, recipients }) => {
  await lockProject(tx, projectId);
  requireMatch(context, ((await mailSettings(tx, projectId)) ?? NOBODY).version);
  await putMailSettings(tx, projectId, recipients);
  return view(context.ports, tx, projectId);
});
