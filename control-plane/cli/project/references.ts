/** Checks that the references in a project's file exist in it. Pure. */
import type { ProjectFile } from '../../contract/project-file.ts';
import type { FileFault } from '../../contract/yaml-file.ts';

type Path = FileFault['path'];

export function missingReferences(file: ProjectFile): FileFault[] {
  const registrars = new Map(file.registrars.map((r) => [r.slug, r]));
  const recordings = new Set(file.mediaFiles.map(({ name }) => name));
  const probes = new Set(file.probes.map(({ slug }) => slug));
  const faults: FileFault[] = [];
  const need = (isThere: boolean, path: Path, what: string) => {
    if (!isThere) faults.push({ path, message: `the file has no ${what}` });
  };
  const needRegistrar = (slug: string, path: Path) =>
    need(slug === 'cloud' || registrars.has(slug), [...path, 'registrar'], `registrar ${slug}`);
  for (const [t, { groups }] of file.tests.entries())
    for (const [g, { registrar, callee, mediaTracks, subPopulations }] of groups.entries()) {
      const path = ['tests', t, 'groups', g];
      needRegistrar(registrar, path);
      if (callee.mode === 'GROUP')
        need(
          groups.some(({ name }) => name === callee.group),
          [...path, 'callee', 'group'],
          `group ${callee.group} in this test`,
        );
      for (const [m, { mediaFile }] of mediaTracks.entries())
        need(
          mediaFile === null || recordings.has(mediaFile),
          [...path, 'mediaTracks', m, 'mediaFile'],
          `recording ${mediaFile}`,
        );
      const accounts = new Set(registrars.get(registrar)?.sipAccounts.map(({ username }) => username));
      for (const [s, { sipAccounts }] of subPopulations.entries())
        for (const username of sipAccounts ?? [])
          need(
            accounts.has(username),
            [...path, 'subPopulations', s, 'sipAccounts'],
            `SIP account ${username} of ${registrar}`,
          );
    }
  for (const [p, { parent, test }] of file.probes.entries()) {
    needRegistrar(test.registrar, ['probes', p, 'test']);
    need(parent === null || probes.has(parent), ['probes', p, 'parent'], `probe ${parent}`);
  }
  return faults;
}
