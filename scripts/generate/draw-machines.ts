/** Generates docs/machines.md: every machine as a picture (Mermaid), drawn from its table. */
import type { Holder } from '@carillon/proto/base/machine.ts';
import { type ListedMachine, MACHINES } from './machines.ts';

const HEAD = `# State machines

<!-- Generated from the tables by \`npm run generate\`; do not edit. -->

Each picture is drawn from the table that the program uses. What a table lacks is refused: nothing happens. Events with the same start and the same
end share an arrow. The file says what the events mean.
`;

const ENDS: Readonly<Record<Holder, string>> = {
  TIMER: 'A timer ends',
  TRANSACTION: 'A transaction in progress, which has its own timers, ends',
  USER: 'The code that uses the machine ends',
  JOB: 'A job of the control plane ends',
  OUTSIDE: 'A person, or a program of others, ends',
  NOBODY: '',
};

/** The page as Markdown. It ends with one line feed. */
export const drawMachines = (): string =>
  [
    HEAD,
    ...Object.entries(MACHINES).flatMap(([part, machines]) => [`## ${part}\n`, ...machines.map((one) => section(one))]),
  ].join('\n');

function section({ title, file, says, heldBy, ...machine }: ListedMachine): string {
  return `### ${title}\n\n${says} Table: [\`${file}\`](../${file}).\n\n\`\`\`mermaid\n${diagram(machine)}\n\`\`\`\n\n${holders(heldBy)}\n`;
}

function diagram({ initial, finals, transitions }: Pick<ListedMachine, 'initial' | 'finals' | 'transitions'>): string {
  const arrows = Object.entries(transitions).flatMap(([from, row]) =>
    [...Map.groupBy(Object.entries(row), ([, to]) => to)].map(
      ([to, events]) => `${from} --> ${to}: ${events.map(([event]) => event).join(', ')}`,
    ),
  );
  const lines = [`[*] --> ${initial}`, ...arrows, ...finals.map((state) => `${state} --> [*]`)];
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n');
}

const holders = (heldBy: Readonly<Record<string, Holder>>): string =>
  [...Map.groupBy(Object.keys(heldBy), (state) => heldBy[state] as Holder)]
    .filter(([holder]) => holder !== 'NOBODY')
    .map(([holder, states]) => `${ENDS[holder]} ${states.join(', ')}.`)
    .join(' ');
