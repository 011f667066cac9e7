/** The user and their permissions. The server decides; the pages only hide what it would refuse. */
import { createContext, useContext } from 'react';
import type { Output } from '../contract/catalogue.ts';
import { atLeast, type Role } from '../contract/roles.ts';

export type Me = Output<'getMe'>;

const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext.Provider;

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('No user is logged in.');
  return me;
}

/** True: the person has this role, in the project or in the organization. */
export function useMay(projectId?: string): (role: Role) => boolean {
  const me = useMe();
  const own = me.projectRoles.find((p) => p.projectId === projectId)?.role;
  return (role) => atLeast(own ?? me.role, role);
}
