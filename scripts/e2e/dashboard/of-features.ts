/** What the tests of the dashboard get from features: `e2e/dashboard.ts` in the folder of each (control-plane/features). */
import { globSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Role } from '../../../control-plane/contract/roles.ts';
import type { Chapter } from './lab.ts';
import type { LabAsk } from './lab-data.ts';

type Ids = Readonly<Record<string, string>>;

export type Pictured = {
  readonly address: (ids: Ids) => string;
  /** A text of the finished page. */
  readonly ready: string | RegExp;
  readonly isInside: boolean;
  /** Opens what covers the page: a dialog or a menu. The picture is of what is in view then. */
  readonly open?: (page: Page) => Promise<void>;
  /** It is no page of the dashboard, but what the server writes, of recorded answers. `answered`: the data of one. */
  readonly document?: (ids: Ids, answered: <T>(address: string) => T) => string;
};

/** Page (… is the project), the action that it offers, who may do it, and its request. */
export type RoleAction = readonly [page: string, name: string | RegExp, least: Role, method: string, path: string];

export type DashboardOfFeature = {
  readonly chapters?: Readonly<Record<string, Chapter>>;
  /** As in `pages.ts`. */
  readonly pages?: Readonly<Record<string, string | RegExp | null>>;
  /** Pages for people without an account, outside of the dashboard: an address with ids of `make`, and a text of the page. */
  readonly publicPages?: Readonly<Record<string, string>>;
  /** Pages of which there is another picture, with other data. Pictures are in `e2e/pictures/`. */
  readonly pictured?: Readonly<Record<string, Pictured>>;
  readonly actions?: readonly RoleAction[];
  /** One of everything, for its pages: its ids. `at`: the project. */
  readonly make?: (ask: LabAsk, at: string, ids: { readonly testId: string; readonly runId: string }) => Promise<Ids>;
};

const ROOT = path.resolve(import.meta.dirname, '../../..');

export const OF_FEATURES: readonly (DashboardOfFeature & { readonly folder: string })[] = await Promise.all(
  globSync('control-plane/features/*/e2e/dashboard.ts', { cwd: ROOT })
    .sort()
    .map(async (file) => {
      const { DASHBOARD } = (await import(path.join(ROOT, file))) as { DASHBOARD: DashboardOfFeature };
      return { ...DASHBOARD, folder: path.join(ROOT, path.dirname(file)) };
    }),
);
