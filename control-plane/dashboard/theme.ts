/** The appearance: one accent colour, tabular figures, and WCAG AA contrast in both schemes. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core';

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** The greys of the dark scheme have the hue of the cards. Fields are lighter than their background. */
const DARK = [
  '#e4e7ec',
  '#bcc3cd',
  '#99a1ad',
  '#6d7683',
  '#4a525e',
  '#3a414b',
  '#282d35',
  '#1d2025',
  '#181a1f',
  '#121418',
] as const;

/** This colour is pale enough for links in both schemes. */
const HOVERED = 'color-mix(in srgb, var(--carillon-accent) 7%, var(--carillon-card))';
const DIALOG = { title: { fontWeight: 650, fontSize: 17 } } as const;

export const theme = createTheme({
  colors: { dark: DARK },
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    // Cells have the same distance from the edge as a card's title.
    Table: {
      defaultProps: {
        verticalSpacing: 'sm',
        horizontalSpacing: 18,
        highlightOnHover: true,
        highlightOnHoverColor: HOVERED,
      },
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 200, multiline: true, maw: 320 } },
    // The outline's own colour is too pale for its title.
    Alert: { styles: { label: { color: 'var(--mantine-color-text)' } } },
    // A field's description is below it, so that fields of one row stay aligned.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } }, styles: DIALOG },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } }, styles: DIALOG },
    // Their element is a header, of which a page has one.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** Mantine's dimmed text and error red are too pale on their own backgrounds. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b64',
    '--mantine-color-error': '#b42318',
    '--mantine-color-placeholder': '#6b7280',
    '--carillon-page': '#f7f8fa',
    '--carillon-card': '#ffffff',
    '--carillon-line': '#e3e6ea',
    '--carillon-good': '#1a7f4b',
    '--carillon-warn': '#b35c00',
    '--carillon-bad': '#c0292b',
    '--carillon-none': '#6b7280',
    '--carillon-accent': '#3b5bdb',
    '--carillon-run-1': '#3b5bdb',
    '--carillon-run-2': '#b35c00',
    '--carillon-run-3': '#1a7f4b',
    '--carillon-run-4': '#9c36b5',
    '--carillon-run-5': '#0b7285',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb8',
    '--mantine-color-error': '#ff8a80',
    '--mantine-color-placeholder': '#9aa1ab',
    '--mantine-color-body': '#1d2025',
    '--carillon-page': '#15171b',
    '--carillon-card': '#1d2025',
    '--carillon-line': '#31353c',
    '--carillon-good': '#4cc38a',
    '--carillon-warn': '#f0a04b',
    '--carillon-bad': '#ff7b72',
    '--carillon-none': '#9aa1ab',
    '--carillon-accent': '#8ea6ff',
    '--carillon-run-1': '#8ea6ff',
    '--carillon-run-2': '#f0a04b',
    '--carillon-run-3': '#4cc38a',
    '--carillon-run-4': '#e599f7',
    '--carillon-run-5': '#66d9e8',
  },
});
