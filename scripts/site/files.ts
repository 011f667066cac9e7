/**
 * Files of the repository that people take to their hosts, Grafana or pipelines: the site has them below `/docs/files`, by their
 * paths, and a page for each folder. What a page names beyond them is in a checkout only.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..', '..');

const FOLDERS: readonly string[] = [
  'agent/install',
  'agent/observability',
  'control-plane/observability',
  'integrations/github-action',
  'integrations/kubernetes/carillon',
];
const SINGLE: readonly string[] = [
  'agent/policy/policy.schema.json',
  'control-plane/contract/provision.schema.json',
  'docker-compose.yml',
  'integrations/gitlab/carillon.gitlab-ci.yml',
  'scripts/compose/provision.yaml',
];
const IN_FOLDERS = FOLDERS.map((folder) => `${folder}/**/*.{json,service,sh,tpl,yaml,yml}`);
/** All that the folder of files is made from. */
export const FILE_SOURCES: readonly string[] = [...IN_FOLDERS, ...SINGLE, ...FOLDERS.map((one) => `${one}/README.md`)];

export const FILES: readonly string[] = [...globSync(IN_FOLDERS, { cwd: ROOT }), ...SINGLE].sort();

/** The address below that of the site. `file`: a file or a folder, from the root. Null: the site does not have it. */
export function fileAddress(file: string): string | null {
  const folder = file.replace(/\/(README\.md)?$/, '');
  if (FOLDERS.includes(folder)) return `files/${folder}/`;
  return FILES.includes(file) ? `files/${file}` : null;
}

/** The page of each folder as Markdown: its README without the sentence about its test, or a list of its files. */
export const folderPages = (): { readonly folder: string; readonly text: string }[] =>
  FOLDERS.map((folder) => {
    const readme = path.join(ROOT, folder, 'README.md');
    if (existsSync(readme)) return { folder, text: readFileSync(readme, 'utf8').split('**Test:**')[0] ?? '' };
    const files = FILES.filter((file) => file.startsWith(`${folder}/`));
    const list = files.map((file) => `- \`${file.slice(folder.length + 1)}\``);
    return { folder, text: `# ${folder}\n\n${list.join('\n')}\n` };
  });
