/** Finds when the clocks of a time zone change. Pure except for its cache; instants and offsets are in milliseconds. */

/**
 * A time during which the clock of a zone is not changed: local time is UTC + `offsetMs`. `changeMs` is the change of
 * the clock at its start: above 0, that much local time does not exist; below 0, it occurs twice. Each year of UTC
 * begins a new stretch as well.
 */
export type Stretch = {
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetMs: number;
  readonly changeMs: number;
};

const DAY_MS = 86_400_000;
/** No zone changes its clock twice within this time; the shortest time between changes is Morocco's, a month. */
const STEP_MS = 7 * DAY_MS;
/** The number of cached years of zones: a service has few zones, and looks a year or two ahead. */
const MAX_KEPT = 2000;
const stretchesByYear = new Map<string, readonly Stretch[]>();

/** The stretch that contains an instant. */
export function stretchAt(timezone: string, atMs: number): Stretch {
  const year = new Date(atMs).getUTCFullYear();
  const key = `${timezone} ${year}`;
  let stretches = stretchesByYear.get(key);
  if (stretches === undefined) {
    stretches = stretchesOf(timezone, year);
    if (stretchesByYear.size >= MAX_KEPT) stretchesByYear.clear();
    stretchesByYear.set(key, stretches);
  }
  return stretches.find(({ endMs }) => atMs < endMs) as Stretch;
}

function stretchesOf(timezone: string, year: number): Stretch[] {
  const offsetAt = offsetsOf(timezone);
  const endMs = Date.UTC(year + 1, 0, 1);
  const found: Stretch[] = [];
  let current = { startMs: Date.UTC(year, 0, 1), offsetMs: offsetAt(Date.UTC(year, 0, 1)), changeMs: 0 };
  for (let from = current.startMs; from < endMs; from += STEP_MS) {
    const offsetMs = offsetAt(from + STEP_MS);
    if (offsetMs === current.offsetMs) continue;
    const change = firstOther(offsetAt, from, from + STEP_MS);
    // A change in the new year is found with that year.
    if (change >= endMs) break;
    found.push({ ...current, endMs: change });
    current = { startMs: change, offsetMs, changeMs: offsetMs - current.offsetMs };
  }
  found.push({ ...current, endMs });
  return found;
}

/** The first second after `before` with another offset; `after` has it. */
function firstOther(offsetAt: (atMs: number) => number, before: number, after: number): number {
  const offsetMs = offsetAt(before);
  let [low, high] = [before, after];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetAt(middle) === offsetMs) low = middle;
    else high = middle;
  }
  return high;
}

function offsetsOf(timezone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const [, sign, hours, minutes, seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(atMs)) ?? [];
    if (sign === undefined) return 0;
    const abs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -abs : abs;
  };
}
