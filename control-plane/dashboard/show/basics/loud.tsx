/** An important message: a line in bold, and its consequence. */
import { Group, Text } from '@mantine/core';
import type { ComponentType, CSSProperties, ReactNode } from 'react';
import type { Tone } from './words.tsx';

type Props = {
  readonly title: string;
  readonly tone?: Tone;
  /** True: screen readers announce the message immediately. */
  readonly isAlert?: boolean;
  readonly icon: ComponentType<{ size: number; style: CSSProperties }>;
  readonly children: ReactNode;
};

export const Loud = ({ title, tone = 'warn', isAlert = true, icon: Icon, children }: Props) => (
  <section className={`card card-pad banner ${tone}`} {...(isAlert ? { role: 'alert' } : { 'aria-label': title })}>
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Icon size={22} style={{ color: 'var(--mark)', flex: 'none', marginTop: 2 }} />
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text fw={650} size="lg">
          {title}
        </Text>
        <Text component="div">{children}</Text>
      </div>
    </Group>
  </section>
);
