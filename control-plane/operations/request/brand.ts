/** What an organization shows to readers outside of it, for features and mails that show it. */
import type { Brand } from '../../domain/brand.ts';
import type { Ports } from '../../ports.ts';

/** Null: it has no brand. */
export async function brandOf({ hooks, database }: Ports, organizationId: string): Promise<Brand | null> {
  for (const { brand } of hooks) {
    const found = await brand?.(database.db, organizationId);
    if (found) return found;
  }
  return null;
}
