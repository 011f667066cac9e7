/** Roles have a file of their own, because every page of the dashboard asks for one: the other words would come with it. */

/** The roles are in ascending order of permissions (docs/decisions.md, Roles). */
export const ROLES = ['VIEWER', 'TESTER', 'EDITOR', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];
export const atLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
