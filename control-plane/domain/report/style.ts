/** The style of a report: the dashboard's colours, in light and in dark; on paper in light. */
const LIGHT =
  '--page: #fff; --text: #1f2328; --quiet: #545b64; --line: #d9dde2; --good: #1a7f4b; --warn: #9a5200; --bad: #c0292b; --accent: #3b5bdb; --run-2: #9a5200; --run-3: #1a7f4b;';
const DARK =
  '--page: #15171b; --text: #e8eaed; --quiet: #a6adb8; --line: #3a3f47; --good: #4cc38a; --warn: #f0a04b; --bad: #ff7b72; --accent: #8ea6ff; --run-2: #f0a04b; --run-3: #4cc38a;';

export const STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
body { margin: 0 auto; padding: 24px 20px 60px; max-width: 1080px; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 26px; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 18px; margin: 34px 0 10px; } h3 { font-size: 14px; margin: 0 0 4px; }
p { margin: 6px 0; } a { color: var(--accent); } .quiet, figcaption { color: var(--quiet); font-size: 13px; }
.good { --tone: var(--good); } .warn { --tone: var(--warn); } .bad { --tone: var(--bad); } .none { --tone: var(--quiet); } b { color: var(--tone); }
.lead { font-size: 20px; margin: 18px 0 10px; } .lead small { font-size: 13px; color: var(--quiet); }
.verdict { border: 1px solid var(--line); border-left: 5px solid var(--tone); padding: 10px 14px; margin: 10px 0 18px; border-radius: 6px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 14px; margin: 0; } dt { color: var(--quiet); font-size: 13px; } dd { margin: 0; font-size: 22px; font-weight: 600; } dd small { display: block; font-size: 12px; font-weight: 400; color: var(--quiet); }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; } th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; } th { color: var(--quiet); font-weight: 500; } .n { text-align: right; } .n, .w { white-space: nowrap; } .t, .a { overflow-wrap: anywhere; min-width: 9em; } .a { min-width: 11em; } .n + .w, .n + .t { padding-left: 12px; } td:last-child, th:last-child { padding-right: 0; } td small { display: block; font-size: 12px; color: var(--quiet); } tr:target { outline: 2px solid var(--accent); outline-offset: -1px; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 460px), 1fr)); gap: 22px; } figure { margin: 0; break-inside: avoid; } svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; } .grid { stroke: var(--line); } .l0 { stroke: var(--accent); } .l1 { stroke: var(--run-2); } .l2 { stroke: var(--run-3); } .l3 { stroke: var(--bad); } path { fill: none; stroke-width: 1.8; } .l1 { stroke-dasharray: 6 3; } .l2 { stroke-dasharray: 2 2; } .l3 { stroke-dasharray: 9 3 2 3; }
.scroll { overflow-x: auto; } .brand { margin: 0 0 20px; border-radius: 6px; }
@media print {
  @page { margin: 14mm 12mm; }
  :root { color-scheme: light; } body { padding: 0; max-width: none; font-size: 10.5pt; } h1 { font-size: 18pt; } h2 { font-size: 13pt; margin-top: 20pt; break-after: avoid; } .lead { font-size: 14pt; }
  table { font-size: 8.5pt; } td small { font-size: 7.5pt; } dd { font-size: 14pt; } tr, dl > div, .verdict { break-inside: avoid; } thead { display: table-header-group; } .scroll { overflow: visible; } a { color: inherit; text-decoration: none; }
  dl { grid-template-columns: repeat(5, 1fr); } dt { font-size: 8.5pt; } .charts { grid-template-columns: 1fr 1fr; }
}
`;
