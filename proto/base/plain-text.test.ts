import t from 'tap';
import { plain } from './plain-text.ts';

const SEEN = ['Ringing', 'Gespräch', 'مرحبا', 'می\u200cخواهم', '通话', '👩\u200d💻', '<b>&"'];
const UNSEEN = ['\n', '\r', '\t', '\u001b', '\u009b', '\u00ad', '\u061c', '\u200b', '\u200e', '\u2028', '\u2029'];
const MORE = ['\u202e', '\u2060', '\u2066', '\ufeff', '\ud800', '\u{e0041}'];

for (const text of SEEN) t.equal(plain(text), text);
for (const one of [...UNSEEN, ...MORE]) t.equal(plain(`a${one}b`), 'a\u{fffd}b', escape(one));
