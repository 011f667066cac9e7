/** Instants in UTC, as logs and traces have them. On hover, they are shown in the reader's own time, with their age. */
import { Tooltip } from '@mantine/core';

const utc = (at: Date, withMs: boolean): string => {
  const text = at.toISOString().replace('T', ' ');
  return withMs ? text.slice(0, 23) : text.slice(0, 19);
};

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function ago(at: Date, nowMs = Date.now()): string {
  const seconds = Math.round((at.getTime() - nowMs) / 1000);
  const [unit, size] = UNITS.find(([, s]) => Math.abs(seconds) >= s) ?? UNITS[3];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

type Props = {
  readonly at: string | null;
  readonly none?: string;
  readonly withMs?: boolean;
  readonly relative?: boolean;
};

export function Time({ at, none = '–', withMs = false, relative = false }: Props) {
  if (at === null) return <span>{none}</span>;
  const instant = new Date(at);
  const local = instant.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  const exact = `${utc(instant, withMs)} UTC`;
  return (
    <Tooltip label={`${relative ? `${exact} · ` : ''}${local} your time${relative ? '' : ` · ${ago(instant)}`}`}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {relative ? ago(instant) : exact}
      </time>
    </Tooltip>
  );
}
