/** A message for Slack's incoming webhooks (Block Kit). */
import { acknowledgeLinkOf } from '../../../domain/messages/link.ts';
import type { BodyOf } from '../../../domain/messages/message.ts';
import { type Mood, plain, wordingOf } from '../../../domain/messages/wording.ts';

const SIGN: Record<Mood, string> = {
  GOOD: ':large_green_circle:',
  WARNING: ':large_yellow_circle:',
  BAD: ':red_circle:',
  NEUTRAL: ':white_circle:',
};

/** Slack requires these three characters to be escaped: this disables `<!channel>` and links. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A zero-width space disables `*`, `_`, `~` and backticks in mrkdwn. */
const inert = (text: string): string => escaped(text).replaceAll(/[*_~`]/g, '$&\u200B');

const anchor = (link: string, text: string): string => `<${escaped(link)}|${text}>`;

export const slackBody: BodyOf = (a, _secret, link) => {
  const { mood, headline, facts } = wordingOf(a);
  const acknowledge = acknowledgeLinkOf(a, link);
  const links = [
    ...(link === null ? [] : [anchor(link, 'Open in Carillon')]),
    ...(acknowledge === null ? [] : [anchor(acknowledge, 'Acknowledge')]),
  ];
  const line = `${SIGN[mood]} *${inert(plain(headline, 200))}*`;
  return {
    text: inert(plain(headline, 200)),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: line } },
      ...(facts.length === 0
        ? []
        : [
            {
              type: 'section',
              fields: facts.slice(0, 10).map(([label, value]) => ({
                type: 'mrkdwn',
                text: `*${label}*\n${inert(plain(value, 500))}`,
              })),
            },
          ]),
      ...(links.length === 0 ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: links.join(' · ') } }]),
      { type: 'context', elements: [{ type: 'plain_text', text: `${a.kind} · ${a.at.toISOString()}` }] },
    ],
  };
};
