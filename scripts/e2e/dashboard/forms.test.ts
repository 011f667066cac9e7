/** The dashboard's chapters that create tests and probes in forms, over a separate installation: in parallel with the others. */
import t from 'tap';
import { forms } from './forms.ts';
import { founded } from './founded.ts';
import { tell } from './lab.ts';
import { load } from './load.ts';
import { probe } from './probe.ts';

await tell(t, { founded, forms, probe, load });
