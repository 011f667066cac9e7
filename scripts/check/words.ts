/**
 * Comments, pages, and texts in code (messages, descriptions, titles of tests) are plain technical English: phrases that were
 * once frequent and hard to read are refused.
 */
import { globSync } from 'node:fs';
import { documents, ROOT, read, sources } from './sources.ts';

/** Within a phrase a comment may break the line, and start the next with a star. */
const GAP = '(?:\\s|\\*|//)+';
/** These are never persons. */
const THINGS =
  '(?:agent|worker|peer|server|proxy|registrar|endpoint|thread|process|host|replica|stream|packet|message|program|control plane|far end)s?';
/** A NAT or a proxy is in front of something, and what lags or is left is behind: all else is "after". */
const BEHIND =
  '(?<!\\b(?:falls?|fell|left|leaves?|leave|lags?|UAS)\\b[^.;]{0,40})(?<!\\bmore )behind(?! kamailio| (?:an?|the) (?:NAT|TLS proxy|proxy|PBX|outbound proxy)\\b)';

/** What is refused, what to write instead, and the pattern where the words themselves are not it. */
const PHRASES: readonly (readonly [phrase: string, instead: string, pattern?: string])[] = [
  ['whoever', 'the caller, the peer, a client that'],
  ['anew', 'again'],
  ['of before', 'older'],
  ['be had', 'available'],
  ['spec section', 'a page of docs/'],
  ['whosever', 'of any owner, of any peer'],
  ['how-manieth', 'the number, the count'],
  ['on the part of', 'Fault: …'],
  ['what was set otherwise', 'settings that differ'],
  ['oftener', 'more often'],
  ['in no promised order', 'order is not guaranteed'],
  ['stands still since', 'has been paused since'],
  ['as ever', 'as before'],
  ['alone', 'only', '(?<!leaves? \\w+ )(?<!left )alone'],
  ['behind', 'after', BEHIND],
  ['who, of a thing', 'that', `${THINGS} who`],
  ['who, without a person', 'a client that, a peer that', '(?:for|of|by|to|with|than) who'],
  ['who, at the start', 'a peer that, a client that', `(?<=['"\`]|; )who(?:m|se)?`],
  ['he', 'it, the agent, the user', '(?:he|him|his|himself)'],
  ['stands twice', 'occurs twice', 'stands? (?:twice|once|above)'],
  ['again and again', 'repeatedly'],
  ['what became of', 'the result of', 'what (?:becomes|became) of'],
  ['cannot be had', 'is not available'],
  ['a matter of its own', 'separate'],
  ['taken along', 'downloaded', 'tak(?:e|es|en) along'],
  ['goodbye', 'BYE'],
  ['software of others', 'independent software'],
  ["of the test's own", 'of the test, separate'],
  ['come about', 'happen', '(?:comes?|came) about'],
  ['stands still', 'stalls, is stopped', '(?:stands?|stood) still'],
  ['so manieth', 'n-th'],
  ['ever after', 'from then on'],
  ['makes of it', 'reads, decides', 'makes? of it'],
  ['comes of it', 'the result', '(?:comes?|came) of'],
  ['lets go of', 'releases', 'lets? go'],
  ['amid', 'during'],
  ['dearer', 'more expensive', '(?:made it dear|dearer|as dear)'],
];
const COMMENT = /(?<=^|[\s{(])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm;
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g;
const WORDS = /[a-z]{2,} [a-z]{2,}/i;
const INSERTED = /\$\{[^}]*\}/g;
/** Lists of the phrases. */
const UNREAD = 'scripts/check/words.ts';
/** Names and titles of tests, which are quoted as they are. */
const QUOTED = /`[^`\n]+`/g;

/** The rest is blanked, so that lines keep their numbers. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

function commentsOf(code: string): string {
  let at = 0;
  let kept = '';
  for (const { 0: comment, index } of code.matchAll(COMMENT)) {
    kept += blank(code.slice(at, index)) + comment;
    at = index + comment.length;
  }
  return kept;
}

/** Literals of one line with at least two words; what a template inserts is blanked. */
function textsOf(code: string): string {
  let at = 0;
  let kept = '';
  for (const { 0: text, index } of code.replace(COMMENT, blank).matchAll(LITERAL)) {
    kept += blank(code.slice(at, index)) + (WORDS.test(text) ? text.replace(INSERTED, blank) : blank(text));
    at = index + text.length;
  }
  return kept;
}

const PATTERNS = PHRASES.map(([phrase, instead, pattern = phrase]) => ({
  phrase,
  instead,
  pattern: new RegExp(`\\b${pattern.replaceAll(' ', GAP)}\\b`, 'gi'),
}));

function phrasesIn(file: string, text: string): string[] {
  return PATTERNS.flatMap(({ phrase, instead, pattern }) =>
    [...text.matchAll(pattern)].map(({ index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line} says "${phrase}": ${instead}`;
    }),
  );
}

/** Code and pages, without generated files. */
export const wordedFiles = (): string[] => [
  ...sources(),
  ...globSync('proto/carillon/**/*.proto', { cwd: ROOT }),
  ...documents(),
];

/** The phrases in comments, texts and pages, one line each. */
export const hardWords = (files: readonly string[]): string[] => files.flatMap(hardWordsIn);

function hardWordsIn(file: string): string[] {
  const text = read(file);
  if (file.endsWith('.md')) return phrasesIn(file, text.replace(QUOTED, blank));
  return [
    ...phrasesIn(file, commentsOf(text).replace(QUOTED, blank)),
    ...(file === UNREAD ? [] : phrasesIn(file, textsOf(text))),
  ];
}

if (import.meta.main) {
  const found = hardWords(wordedFiles());
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
