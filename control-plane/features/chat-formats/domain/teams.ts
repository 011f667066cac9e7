/** A message for Microsoft Teams' Workflows ("when a webhook request is received"): an Adaptive Card. */
import { acknowledgeLinkOf } from '../../../domain/messages/link.ts';
import type { BodyOf } from '../../../domain/messages/message.ts';
import { type Mood, plain, wordingOf } from '../../../domain/messages/wording.ts';

const COLOR: Record<Mood, string> = { GOOD: 'good', WARNING: 'warning', BAD: 'attention', NEUTRAL: 'default' };

/** The runs of rich text have no Markdown, so that names and reasons cannot become links or headings. */
const rich = (...inlines: object[]): object => ({
  type: 'RichTextBlock',
  inlines: inlines.map((inline) => ({ type: 'TextRun', ...inline })),
});

const actionsOf = (link: string, acknowledge: string | null): object[] =>
  [
    { title: 'Open in Carillon', url: link },
    { title: 'Acknowledge', url: acknowledge },
  ]
    .filter(({ url }) => url !== null)
    .map((action) => ({ type: 'Action.OpenUrl', ...action }));

export const teamsBody: BodyOf = (a, _secret, link) => {
  const { mood, headline, facts } = wordingOf(a);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            rich({ text: plain(headline, 200), size: 'large', weight: 'bolder', color: COLOR[mood] }),
            ...facts.map(([label, value]) =>
              rich({ text: `${label}: `, weight: 'bolder' }, { text: plain(value, 500) }),
            ),
            rich({ text: `${a.kind} · ${a.at.toISOString()}`, isSubtle: true, size: 'small' }),
          ],
          ...(link !== null && { actions: actionsOf(link, acknowledgeLinkOf(a, link)) }),
        },
      },
    ],
  };
};
