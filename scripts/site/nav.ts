/** The pages of the site in reading order, as paths below docs/ without `.md`. Titles are the pages' own first headings. */
export const NAV: readonly { readonly title: string; readonly pages: readonly string[] }[] = [
  {
    title: 'Start',
    pages: ['guide/get-started', 'guide/concepts', 'guide/trust', 'guide/faq', 'guide/troubleshooting'],
  },
  {
    title: 'Tutorials',
    pages: [
      'tutorials/asterisk',
      'tutorials/freeswitch',
      'tutorials/kamailio',
      'tutorials/webrtc',
      'tutorials/carriers',
      'guide/recipes',
    ],
  },
  {
    title: 'Tests',
    pages: ['guide/tests', 'guide/scenarios', 'guide/accounts', 'guide/media', 'guide/sipp', 'pbx-cases'],
  },
  { title: 'Figures', pages: ['guide/misread', 'guide/limits', 'benchmarks'] },
  { title: 'Monitoring', pages: ['guide/probes', 'guide/monitoring'] },
  { title: 'Automation', pages: ['guide/cli', 'guide/api', 'contract', 'guide/mcp', 'guide/provisioning'] },
  {
    title: 'Operation',
    pages: [
      'guide/server',
      'guide/agents',
      'guide/many-hosts',
      'guide/operating',
      'guide/database',
      'guide/kubernetes',
      'guide/customers',
      'guide/releases',
      'backup',
      'guide/security',
      'attacks',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'reference/settings',
      'reference/findings',
      'reference/metrics',
      'reference/operations',
      'reference/errors',
      'reference/environment',
      'glossary',
      'decisions',
    ],
  },
  { title: 'Development', pages: ['architecture', 'machines'] },
];

/** Pages about the source: each says that the files which it names are in a checkout. */
export const OF_SOURCE: readonly string[] = [
  'architecture',
  'attacks',
  'contract',
  'decisions',
  'glossary',
  'machines',
  'pbx-cases',
];

export const PAGES: readonly string[] = NAV.flatMap(({ pages }) => pages);
