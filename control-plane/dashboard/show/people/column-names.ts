/** What columns of SIP accounts are called where people read them. */
export const COLUMN_NAMES = {
  username: 'User name',
  authName: 'Auth name',
  displayName: 'Display name',
  number: 'Number',
} as const;
