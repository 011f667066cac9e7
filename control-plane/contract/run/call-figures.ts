/** The figures of calls as answers have them, made from their table. */
import {
  type AnsweredIn,
  answeredIn,
  type CALL_FIGURES,
  type CallFigure,
  FIGURES,
} from '@carillon/proto/figures/call-figures.ts';
import * as z from 'zod';

type Answered<Where extends 'LIST' | 'DETAIL', Ms extends z.ZodType> = {
  [K in AnsweredIn<Where>]: (typeof CALL_FIGURES)[K]['unit'] extends 'ms' ? Ms : z.ZodInt;
};

/** The fields of an answer; `ms` is the schema of milliseconds. */
export const answers = <Where extends 'LIST' | 'DETAIL', Ms extends z.ZodType>(where: Where, ms: Ms) =>
  Object.fromEntries(
    answeredIn(where).map((name) => {
      const { unit, says } = FIGURES.get(name) as CallFigure;
      const type = unit === 'ms' ? ms : z.int();
      return [name, says === undefined ? type : type.describe(says)];
    }),
  ) as Answered<Where, Ms>;
