/**
 * The dashboard's chapters about configuration, runs and findings, over a separate installation: in parallel with those of
 * dashboard.test.ts.
 */
import t from 'tap';
import { configuration } from './configuration.ts';
import { foundedWithRun } from './founded.ts';
import { heard } from './heard.ts';
import { tell } from './lab.ts';
import { run } from './run.ts';

await tell(t, { founded: foundedWithRun, run, configuration, heard });
