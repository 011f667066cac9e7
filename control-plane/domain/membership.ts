/** Who may change a membership: members cannot grant rights that they lack, and an organization keeps an owner. */
import { atLeast, type Role } from '../contract/roles.ts';

export type MembershipChange = {
  /** The role of the acting member. */
  readonly by: Role;
  /** The present role of the member concerned; null: a new member. */
  readonly from: Role | null;
  /** The new role; null: the member is removed. */
  readonly to: Role | null;
  /** The present number of owners of the organization. */
  readonly owners: number;
};

/** The objection, in a sentence; null: none. */
export function membershipFault({ by, from, to, owners }: MembershipChange): string | null {
  if (from !== null && !atLeast(by, from))
    return `A member with the role ${by} cannot change a member with the role ${from}.`;
  if (to !== null && !atLeast(by, to)) return `A member with the role ${by} cannot give the role ${to}.`;
  if (from === 'OWNER' && to !== 'OWNER' && owners <= 1) {
    return 'This is the last owner. Make another member an owner first.';
  }
  return null;
}
