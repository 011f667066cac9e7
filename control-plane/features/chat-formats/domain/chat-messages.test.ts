/** The messages that chats and pagers get. */
import { Secret } from '@carillon/proto/base/secret.ts';
import t from 'tap';
import { ANNOUNCEMENT_KINDS, type Telling } from '../../../contract/notify/announcement.ts';
import { messageFor } from '../../../domain/messages/message.ts';
import { at, TELLINGS } from '../../../testing/tellings.ts';
import { pagerDutyBody } from './pagerduty.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';

const BODIES = { SLACK: slackBody, TEAMS: teamsBody, PAGERDUTY: pagerDutyBody } as const;
const FORMATS = Object.keys(BODIES) as (keyof typeof BODIES)[];
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const send = (telling: Telling, format: (typeof FORMATS)[number]) =>
  messageFor(
    { format, bodyOf: BODIES[format], secret: new Secret(SECRET), previousSecret: null },
    telling,
    'msg',
    at,
    'https://carillon.example/',
  );

t.test('nothing that a stranger wrote does anything', async (t) => {
  for (const kind of ANNOUNCEMENT_KINDS) {
    const slack = send(TELLINGS[kind], 'SLACK').body;
    const ours = /<https:\/\/carillon\.example\/[\w/-]+(?:\|Open in Carillon|\?acknowledge=1\|Acknowledge)>/g;
    t.notMatch(slack.replaceAll(ours, ''), /<[!h]/, 'no mention, no link but ours');
    t.notMatch(slack, /`c`|\*b\*/);
    const card = JSON.parse(send(TELLINGS[kind], 'TEAMS').body).attachments[0];
    t.equal(card.contentType, 'application/vnd.microsoft.card.adaptive');
    for (const block of card.content.body) t.equal(block.type, 'RichTextBlock', 'runs of text know no Markdown');
    for (const format of FORMATS)
      t.notMatch(send(TELLINGS[kind], format).body, /\u202E|\\r|Bcc: x@y\.example\\n/, format);
  }
});

t.test('PagerDuty opens one alert an incident, and resolves it', async (t) => {
  const of = (kind: Telling['kind']) => JSON.parse(send(TELLINGS[kind], 'PAGERDUTY').body);
  t.match(of('incident.opened'), {
    routing_key: SECRET,
    event_action: 'trigger',
    dedup_key: 'i',
    payload: { severity: 'critical', class: 'incident.opened', timestamp: at.toISOString() },
  });
  t.match(of('incident.escalated'), { event_action: 'trigger', dedup_key: 'i', payload: { severity: 'critical' } });
  t.same(of('incident.resolved'), { routing_key: SECRET, event_action: 'resolve', dedup_key: 'i' });
  t.match(of('webhook.test'), { event_action: 'trigger', payload: { severity: 'info' } });
  for (const format of FORMATS) {
    const { headers, body } = send(TELLINGS['incident.opened'], format);
    t.equal('webhook-signature' in headers, format !== 'PAGERDUTY', 'the key signs nothing');
    t.equal(body.includes(SECRET), format === 'PAGERDUTY', 'other secrets are not sent');
  }
});

t.test('why, and where to read on', async (t) => {
  const { data, ...about } = TELLINGS['incident.opened'];
  const opened = { ...about, data: { ...data, reason: 'Busy.' } };
  t.match(JSON.parse(send(opened, 'PAGERDUTY').body), {
    payload: { summary: /: Busy\.$/ },
    client_url: /incidents\/i$/,
  });
  t.match(send(opened, 'TEAMS').body, /"Action\.OpenUrl".*incidents\/i"/);
});
