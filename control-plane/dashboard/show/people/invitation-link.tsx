/** The link of a new invitation, which is shown once. */
import type { Output } from '../../../contract/catalogue.ts';
import { Time } from '../basics/time.tsx';

/** Undefined: there is none to show, for it was mailed, or nobody was invited yet. */
export const invitationLink = (invitation: Output<'createInvitation'> | undefined) =>
  invitation?.token
    ? {
        says: (
          <>
            Send this link to {invitation.email}. It is shown once and works once, until{' '}
            <Time at={invitation.expiresAt} />.
          </>
        ),
        text: `${window.location.origin}/invitation#${invitation.token}`,
        label: 'the link',
      }
    : undefined;
