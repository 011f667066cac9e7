/** The menu of the files of a run: report, JSON, CSV and trace. */
import { Button, Menu } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';

type Props = { readonly projectId: string; readonly run: Output<'getTestRun'> };

export function RunExport({ projectId, run: { id: runId, callAfterCall } }: Props) {
  const base = `/api/v1/projects/${projectId}/test-runs/${runId}`;
  const files = [
    ['HTML report', `${base}/report.html`, `run-${runId}.html`, 'One self-contained file'],
    ['JSON', base, `run-${runId}.json`, 'The run and its figures'],
    ['CSV', `${base}/endpoints.csv`, `run-${runId}-endpoints.csv`, callAfterCall ? 'Every call' : 'Every endpoint'],
    ['pcapng', `${base}/trace.pcapng`, `run-${runId}.pcapng`, 'SIP messages, for Wireshark'],
  ] as const;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">Export</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(([name, href, file, what]) => (
          <Menu.Item key={name} component="a" href={href} download={file} aria-label={`${name}: ${what}`}>
            {name}
            <div className="quiet">{what}</div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
