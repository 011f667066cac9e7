/** The dashboard's chapters of what is made, run and found, over an installation of their own: beside those of dashboard.test.ts. */
import t from 'tap';
import { configuration } from './dashboard/configuration.ts';
import { heard } from './dashboard/heard.ts';
import { tell } from './dashboard/lab.ts';
import { newcomer } from './dashboard/newcomer.ts';
import { probe } from './dashboard/probe.ts';
import { run } from './dashboard/run.ts';

await tell(t, { newcomer, run, configuration, heard, probe });
