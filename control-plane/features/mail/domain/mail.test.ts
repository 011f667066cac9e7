/** Mail about an incident, in words. */
import t from 'tap';
import { ANNOUNCEMENT_KINDS } from '../../../contract/notify/announcement.ts';
import { TELLINGS } from '../../../testing/tellings.ts';
import { mailText } from './mail.ts';

t.test('no name becomes a header', async (t) => {
  for (const kind of ANNOUNCEMENT_KINDS) t.notMatch(mailText(TELLINGS[kind], null, 'Carillon').subject, /[\r\n]/);
});

t.test('an incident in words', async (t) => {
  const named = { ...TELLINGS['incident.resolved'], projectName: 'Lab' };
  const quiet = { ...named, data: { ...named.data, probeName: 'Front door (berlin)', region: 'berlin' } };
  const { subject, text } = mailText(quiet, 'https://carillon.example', 'Carillon');
  t.equal(subject, '[Carillon] Front door (berlin) has recovered');
  t.match(text, /^Project: +Lab$/m);
  t.match(text, /^Lasted: +1 h 2 min$/m);
  t.match(text, /^https:\/\/carillon\.example\/projects\/project\/probes\/p\/incidents\/i$/m, 'where to read on');
  const why = { ...quiet, data: { ...quiet.data, reason: 'No audio packet came in 10.0 s of the call.' } };
  t.match(mailText(why, null, 'Carillon').text, /^Last failure: +No audio packet came in 10\.0 s of the call\.$/m);
  const opened = mailText(TELLINGS['incident.opened'], 'https://carillon.example', 'Carillon').text;
  t.match(opened, /^To acknowledge: https:\/\/carillon\.example\/\S+\?acknowledge=1$/m);
  t.notMatch(text, /acknowledge/, 'what is over needs nobody');
  t.notMatch(mailText(why, null, 'Carillon').text, /https:/, 'an installation without a public address has no links');
});
