/**
 * The dashboard in a real browser, chapter by chapter over one installation and one browser. A chapter logs in again, works in a
 * project of its own, and mends what it changes beside it: each runs by itself, and after one that failed. `CHAPTER=forms,load`
 * runs only these. What no page may do is checked at the end: contact other hosts, violate the content security policy, run a
 * stranger's text.
 */
import t from 'tap';
import { administration } from './administration.ts';
import { browser } from './browser.ts';
import { configuration } from './configuration.ts';
import { dialogs } from './dialogs.ts';
import { empty } from './empty.ts';
import { everyPage } from './every-page.ts';
import { fleet } from './fleet.ts';
import { forms } from './forms.ts';
import { heard } from './heard.ts';
import { load } from './load.ts';
import { OF_FEATURES } from './of-features.ts';
import { organizations } from './organizations.ts';
import { pictures } from './pictures.ts';
import { probe } from './probe.ts';
import { roles } from './roles.ts';
import { run } from './run.ts';
import { session } from './session.ts';
import { shortcuts } from './shortcuts.ts';
import { tell } from './tell.ts';
import { tour } from './tour.ts';

await tell(t, {
  roles,
  session,
  'every-page': everyPage,
  dialogs,
  shortcuts,
  empty,
  administration,
  fleet,
  organizations,
  run,
  configuration,
  heard,
  forms,
  probe,
  load,
  ...Object.assign({}, ...OF_FEATURES.map(({ chapters }) => chapters)),
  pictures,
  tour,
  browser,
});
