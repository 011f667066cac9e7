/** The displayed names of the columns of SIP accounts. */
export const COLUMN_NAMES = {
  username: 'User name',
  authName: 'Auth name',
  displayName: 'Display name',
  number: 'Number',
} as const;
