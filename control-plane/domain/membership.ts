/** Who may change whose membership: nobody gives rights that they lack, and an organization keeps an owner. */
import { atLeast, type Role } from '../contract/words.ts';

export type MembershipChange = {
  /** Of who changes. */
  readonly by: Role;
  /** Of whom it is about; null: a newcomer. */
  readonly from: Role | null;
  /** Afterwards; null: no member any more. */
  readonly to: Role | null;
  /** How many owners the organization has now. */
  readonly owners: number;
};

/** What speaks against it, in a sentence; null: nothing. */
export function membershipFault({ by, from, to, owners }: MembershipChange): string | null {
  if (from !== null && !atLeast(by, from))
    return `A member with the role ${by} cannot change a member with the role ${from}.`;
  if (to !== null && !atLeast(by, to)) return `Who has the role ${by} cannot give the role ${to}.`;
  if (from === 'OWNER' && to !== 'OWNER' && owners <= 1) {
    return 'This is the last owner. Make another member an owner first.';
  }
  return null;
}
