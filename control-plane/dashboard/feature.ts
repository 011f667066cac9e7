/** What a feature adds to the dashboard (control-plane/features). */
import type { RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Output } from '../contract/catalogue.ts';

export type LoadPage = () => Promise<Record<string, RouteComponent>>;

export type MenuEntry = {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size: number; stroke: number }>;
};

export type RunSelection = {
  /** Of the address of the list, which keeps the selected runs. */
  readonly parameter: string;
  readonly verb: string;
  readonly least: number;
  readonly most: number;
  readonly addressOf: (
    projectId: string,
    runIds: readonly string[],
  ) => { readonly to: string; readonly search: Readonly<Record<string, string>> };
};

export type FeaturePages = {
  /** Addresses inside the frame, and the module and component of each. */
  readonly pages?: readonly (readonly [path: `/${string}`, load: LoadPage, name: string])[];
  /** Addresses before the log-in, likewise. */
  readonly doors?: readonly (readonly [path: `/${string}`, load: LoadPage, name: string])[];
  /** Links below the form for logging in. */
  readonly logInLinks?: readonly { readonly to: string; readonly label: string }[];
  /** Entries of a project's menu; `place` orders them among those of the core, whose places are multiples of ten. */
  readonly menu?: readonly (MenuEntry & { readonly place: number })[];
  /** Beside the buttons of a run that has ended; `place` orders them among those of the core, as in the menu. */
  readonly runActions?: readonly {
    readonly place: number;
    readonly key: string;
    readonly Action: ComponentType<{ projectId: string; run: Output<'getTestRun'> }>;
  }[];
  /** Above the list of runs, if it has those of one test. */
  readonly aboveRunsOfTest?: readonly (readonly [key: string, ComponentType<{ projectId: string; testId: string }>])[];
  /** What people do with several runs that they select in the list. The list has one selection: one feature has this. */
  readonly runSelection?: RunSelection;
  /** Beside the buttons of a test, for people who may start it. */
  readonly testActions?: readonly (readonly [key: string, ComponentType<{ projectId: string; testId: string }>])[];
};
