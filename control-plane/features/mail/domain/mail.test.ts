/** Mail about an incident, in words. */
import t from 'tap';
import { ANNOUNCEMENT_KINDS } from '../../../contract/notify/announcement.ts';
import { TELLINGS } from '../../../testing/tellings.ts';
import { mailText } from './mail.ts';

t.test('no name becomes a header', async (t) => {
  for (const kind of ANNOUNCEMENT_KINDS) t.notMatch(mailText(TELLINGS[kind], null).subject, /[\r\n]/);
});

t.test('an incident in words', async (t) => {
  const named = { ...TELLINGS['incident.resolved'], projectName: 'Lab' };
  const quiet = { ...named, data: { ...named.data, probeName: 'Front door (berlin)', region: 'berlin' } };
  const { subject, text } = mailText(quiet, 'https://carillon.example');
  t.equal(subject, '[Carillon] Front door (berlin) has recovered');
  t.match(text, /^Project: {2}Lab$/m);
  t.match(text, /^Lasted: {3}1 h 2 min$/m);
  t.match(text, /^https:\/\/carillon\.example\/projects\/project\/probes\/p\/incidents\/i$/m, 'where to read on');
  const why = { ...quiet, data: { ...quiet.data, reason: 'No audio packet came in 10.0 s of the call.' } };
  t.match(mailText(why, null).text, /^Why: {6}No audio packet came in 10\.0 s of the call\.$/m);
  t.notMatch(mailText(why, null).text, /https:/, 'an installation without a public address has no links');
});
