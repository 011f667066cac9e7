/**
 * The dashboard in a real browser, chapter by chapter over one installation (dashboard/lab.ts). The first creates the owner,
 * the project and its first run; the last checks what no page may do: contact other hosts, violate the content security policy,
 * run a stranger's text. `TAP_GREP=/^run/` runs only matching chapters, and must include `newcomer`.
 */
import t from 'tap';
import { administration } from './administration.ts';
import { browser } from './browser.ts';
import { everyPage } from './every-page.ts';
import { tell } from './lab.ts';
import { newcomer } from './newcomer.ts';
import { organizations } from './organizations.ts';
import { roles } from './roles.ts';
import { secondFactor } from './second-factor.ts';
import { session } from './session.ts';

await tell(t, {
  newcomer,
  roles,
  session,
  'every page': everyPage,
  administration,
  'second factor': secondFactor,
  organizations,
  browser,
});
