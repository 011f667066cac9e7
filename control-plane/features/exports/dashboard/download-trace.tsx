/** The messages of a call as a file. */
import { Anchor } from '@mantine/core';
import type { LadderProps } from '../../../dashboard/feature.ts';

export const DownloadTrace = ({ projectId, runId, endpointId, both }: LadderProps) => (
  <Anchor
    size="sm"
    href={`/api/v1/projects/${projectId}/test-runs/${runId}/trace.pcapng?endpoint_id=${endpointId}&legs=${both ? 'BOTH' : 'ONE'}`}
    download
    underline="always"
  >
    Download pcapng
  </Anchor>
);
