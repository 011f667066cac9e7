/** Names for the text of a test. */
import { useCall } from '../../api.ts';
import type { Names } from './written-test.ts';

/**
 * The names that the file uses for existing things. Only a registrar's first hundred accounts have names; further ones keep their
 * ids.
 */
export function useNames(projectId: string): Names | null {
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  const workers = useCall('listWorkers', { per_page: 100 });
  const files = useCall('listMediaFiles', { projectId, per_page: 100 });
  if (!registrars.data || !files.data) return null;
  return {
    registrars: new Map(registrars.data.rows.map((r) => [r.id, r.slug])),
    workers: new Map((workers.data?.rows ?? []).map((w) => [w.id, w.name])),
    accounts: new Map(),
    mediaFiles: new Map(files.data.rows.map((f) => [f.id, f.name])),
  };
}
