/** Whether people can distinguish texts by looking at them. Pure. */

/** Control characters, ends of lines, and characters without a shape: zero-width and bidirectional characters, fillers, tags. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** The places of joiners: between pictographs, and between letters of scripts that use them. Emoji style (VS16) is included. */
const JOINING =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}])[\u200c\u200d]|(?<=[\p{Extended_Pictographic}#*0-9])\ufe0f/gu;

export const INVISIBLE =
  'has a character that cannot be seen, such as a line break, a zero-width space or a change of direction';

export const isVisible = (text: string): boolean => !UNSEEN.test(text.replace(JOINING, ''));
