/**
 * The short narrowband forms that other monitors use, to compare their figures with ours. Our results never use them.
 * Both start at R 93.2 and ignore echo.
 */
import { delayImpairment, effectiveEquipmentImpairment, type Impairments } from './e-model.ts';

const R_CLEAN = 93.2;
const clamp = (r: number): number => Math.min(100, Math.max(0, r));

/** `g107-idd`: perfect echo control; delays up to 100 ms cost nothing. */
export const echoFreeR = (i: Impairments): number =>
  clamp(R_CLEAN - delayImpairment(i.taMs) - effectiveEquipmentImpairment(i));

/** `cole-rosenbluth` (2001): two straight lines for the delay, with their knee at 177.3 ms. */
export const coleRosenbluthR = (i: Impairments): number =>
  clamp(R_CLEAN - 0.024 * i.taMs - 0.11 * Math.max(0, i.taMs - 177.3) - effectiveEquipmentImpairment(i));
