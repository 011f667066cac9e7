/**
 * Comments, pages, and texts in code (messages, descriptions, titles of tests) keep general rules of plain technical English: a
 * thing is no person, and a reader is sent to nothing that is not in the repository. What the product declares is explained in
 * sentences, not in fragments.
 */
import { globSync } from 'node:fs';
import { documents, isTest, ROOT, read, sources } from '../sources.ts';

/** Within a phrase, a comment may continue on the next line, which may start with a star. */
const GAP = '(?:\\s|\\*|//)+';
/** These words never mean persons. */
const THINGS =
  '(?:agent|worker|peer|server|proxy|registrar|endpoint|thread|process|host|replica|stream|packet|message|program|control plane|far end)s?';

/** Each rule has the words that are refused, what to write instead, and the pattern. */
const RULES: readonly (readonly [what: string, instead: string, pattern: string])[] = [
  ['who, of a thing', 'that', `${THINGS} who`],
  ['who, without a person', 'a client that, a peer that', '(?:for|of|by|to|with|than) who'],
  ['who, at the start', 'a peer that, a client that', `(?<=['"\`]|; )who(?:m|se)?`],
  ['he', 'it, the agent, the user', '(?:he|him|his|himself)'],
  ['spec section', 'a page of docs/', 'spec section'],
  ['called so', 'has this name', 'called so'],
  ['it is … for them', 'who does it', 'it is \\w+ (?:for|after|of) (?:it|them)'],
  ['licence', 'license, as package.json and SPDX have it', 'licences?'],
];
/** The word in names, too; a file of agents and an action of the audit log are stored under the other spelling. */
const ENROL = /enrol(?!l)(?!ment\.json|Agent\b)/gi;
const COMMENT = /(?<=^|[\s{(])\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm;
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g;
const WORDS = /[a-z]{2,} [a-z]{2,}/i;
const INSERTED = /\$\{[^}]*\}/g;
/** This file is not checked, because it lists the rules. */
const UNREAD = 'scripts/check/code/words.ts';
/** Names and titles of tests are quoted as they are, so they are not checked. */
const QUOTED = /`[^`\n]+`/g;

/** Blanks a text, so that lines keep their numbers. */
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

/** The literals of one line with at least two words. Inserted parts of templates are blanked. */
function textsOf(code: string): string {
  let at = 0;
  let kept = '';
  for (const { 0: text, index } of code.replace(COMMENT, blank).matchAll(LITERAL)) {
    kept += blank(code.slice(at, index)) + (WORDS.test(text) ? text.replace(INSERTED, blank) : blank(text));
    at = index + text.length;
  }
  return kept;
}

const PATTERNS = RULES.map(([what, instead, pattern]) => ({
  what,
  instead,
  pattern: new RegExp(`\\b${pattern.replaceAll(' ', GAP)}\\b`, 'gi'),
}));

/** The first paragraph of a declaration's comment is whole sentences, or begins with a value, as in `0: unknown.` */
const DECLARATION = /(?<=^|[\s{(])\/\*\*[\s\S]*?\*\//gm;
const FRAGMENT = /^(?:Of|By|As|Whose|That|Since|From)\b/;
const BEGINS = /^(?:[A-Z`['{]|-?\d)/;
const ENDS = /[.!?:…`]\)?$/;
const TAG = /(?:^|\s)@(?:param|returns|throws|typeParam)\b/;

/** The comments of declarations that are no sentences, one line each. */
const fragmentsIn = (file: string, code: string): string[] =>
  [...code.matchAll(DECLARATION)].flatMap(({ 0: comment, index }) => {
    const text = comment
      .slice(3, -2)
      .replace(/\n[ \t]*\* ?/g, '\n')
      .trim();
    const first = (text.split(TAG)[0] ?? '').split('\n\n')[0]?.trim() ?? '';
    const at = `${file}:${lineAt(code, index)}`;
    if (first === '') return [];
    if (FRAGMENT.test(first) || !BEGINS.test(first))
      return [`${at} begins like a part of a sentence: ${first.slice(0, 40)}`];
    return ENDS.test(first) ? [] : [`${at} has no full stop: ${first.slice(-40)}`];
  });

/** Two of them in a row: the first has lost its declaration. */
const DOUBLE = /\*\/\n[ \t]*\/\*\*/g;
/** A comment that says what true or false means, directly above a function. */
const VERDICT =
  /\/\*\*[\s*]*(?:True|False):(?:(?!\*\/)[\s\S])*\*\/\s*(?=(?:(?:export|async|protected|private|override|abstract|static) )*(?:function |const \w+ = (?:async )?\(|#?\w+\())/g;
/** The head of a function ends with a line: of an arrow function the one with the arrow, of others the one with the brace. */
const ARROW_HEAD = /^[\s\S]*?=>.*$/m;
const HEAD = /^[\s\S]*?(?:(?<!\()\{|;)$/m;

/** The comments that stand above a declaration that is not theirs, one line each. */
export function misplacedIn(file: string, code: string): string[] {
  const verdicts = [...code.matchAll(VERDICT)].filter(({ 0: comment, index }) => {
    const below = code.slice(index + comment.length);
    const [head = ''] = (/^[a-z ]*const /.test(below) ? ARROW_HEAD : HEAD).exec(below) ?? [];
    return !/boolean| is \w/.test(head.slice(head.lastIndexOf('): ') + 1));
  });
  return [
    ...linesWith(DOUBLE, file, code, 'has two comments in a row: each belongs above its declaration'),
    ...verdicts.map(
      ({ index }) => `${file}:${lineAt(code, index)} says true or false, and what follows returns neither`,
    ),
  ];
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const brokenIn = (file: string, text: string): string[] =>
  PATTERNS.flatMap(({ what, instead, pattern }) => linesWith(pattern, file, text, `says "${what}": ${instead}`));

const linesWith = (pattern: RegExp, file: string, text: string, fault: string): string[] =>
  [...text.matchAll(pattern)].map(({ index }) => `${file}:${lineAt(text, index)} ${fault}`);

/** The code and pages without generated files. */
export const wordedFiles = (): string[] => [
  ...sources(),
  ...globSync('proto/carillon/**/*.proto', { cwd: ROOT }),
  ...documents(),
];

/** The places where comments, texts and pages break a rule, one line each. */
export const hardWords = (files: readonly string[]): string[] => files.flatMap(hardWordsIn);

function hardWordsIn(file: string): string[] {
  const text = read(file);
  const spelled =
    file === UNREAD ? [] : linesWith(ENROL, file, text, 'says "enrol": enroll, as the operations have it');
  if (file.endsWith('.md')) return [...spelled, ...brokenIn(file, text.replace(QUOTED, blank))];
  return [
    ...spelled,
    ...(isTest(file) || file.startsWith('scripts/') || !/\.tsx?$/.test(file) ? [] : fragmentsIn(file, text)),
    ...(/\.tsx?$/.test(file) ? misplacedIn(file, text) : []),
    ...brokenIn(file, commentsOf(text).replace(QUOTED, blank)),
    ...(file === UNREAD ? [] : brokenIn(file, textsOf(text))),
  ];
}

if (import.meta.main) {
  const found = hardWords(wordedFiles());
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
