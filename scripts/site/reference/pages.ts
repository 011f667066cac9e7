/** The generated pages: each path in the repository -> its content. */
import { environmentPage } from './environment.ts';
import { errorsPage } from './errors.ts';
import { findingsPage } from './findings.ts';
import { metricsPage } from './metrics.ts';
import { operationsPage } from './operations.ts';
import { settingsPage } from './settings.ts';

export const referencePages = (): [string, string][] => [
  ['docs/reference/environment.md', environmentPage()],
  ['docs/reference/errors.md', errorsPage()],
  ['docs/reference/findings.md', findingsPage()],
  ['docs/reference/metrics.md', metricsPage()],
  ['docs/reference/operations.md', operationsPage()],
  ['docs/reference/settings.md', settingsPage()],
];
