/** Recordings that tests play. */
import { Button, FileButton, Stack, Table, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { MOST_MEDIA_BYTES } from '../../contract/media-file.ts';
import { call, queries, useCall } from '../api.ts';
import { useMay } from '../me.tsx';
import { Confirm } from '../show/confirm.tsx';
import { bytes, duration } from '../show/figures.ts';
import { Answer, Card, Empty, Failed, Page } from '../show/page.tsx';
import { Pages } from '../show/pages.tsx';
import { Time } from '../show/time.tsx';

export function MediaPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const may = useMay(projectId);
  const [page, setPage] = useState(1);
  const files = useCall('listMediaFiles', { projectId, page });
  return (
    <Page title="Media files" actions={may('EDITOR') && <Upload projectId={projectId} />}>
      <Card pad={false}>
        <Answer of={files}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No media file yet">
                Tests send a tone, artificial speech or silence by themselves. Upload a recording where it must be
                yours: WAV for sound, IVF (VP8) or H.264 for video, at most {bytes(MOST_MEDIA_BYTES)} and ten minutes.
              </Empty>
            ) : (
              <>
                <Table miw={640}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>File</Table.Th>
                      <Table.Th>Kind</Table.Th>
                      <Table.Th ta="right">Length</Table.Th>
                      <Table.Th ta="right">Size</Table.Th>
                      <Table.Th>Uploaded</Table.Th>
                      <Table.Th />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((f) => (
                      <Table.Tr key={f.id}>
                        <Table.Td style={{ overflowWrap: 'anywhere' }}>
                          <Text fw={600}>{f.name}</Text>
                        </Table.Td>
                        <Table.Td>
                          {f.video
                            ? `${f.video.codec}, ${f.video.widthPx} × ${f.video.heightPx}`
                            : `${(f.sampleRateHz ?? 0) / 1000} kHz, ${f.channels === 2 ? 'stereo' : 'mono'}`}
                        </Table.Td>
                        <Table.Td ta="right">{duration(f.durationMs / 1000)}</Table.Td>
                        <Table.Td ta="right">{bytes(f.sizeBytes)}</Table.Td>
                        <Table.Td>
                          <Time at={f.createdAt} relative />
                        </Table.Td>
                        <Table.Td ta="right">
                          {may('EDITOR') && (
                            <Confirm
                              label="Delete"
                              title={`Delete ${f.name}?`}
                              act={async () => {
                                await call('deleteMediaFile', { projectId, mediaFileId: f.id });
                                await queries.invalidateQueries();
                              }}
                            >
                              Tests that play it keep it from being deleted.
                            </Confirm>
                          )}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
                <Pages pagination={pagination} what="files" onPage={setPage} />
              </>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}

const base64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(file);
  });

function Upload({ projectId }: { projectId: string }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const upload = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    setError(null);
    try {
      if (file.size > MOST_MEDIA_BYTES) throw new Error(`${file.name} is longer than ${bytes(MOST_MEDIA_BYTES)}.`);
      await call('createMediaFile', { projectId, name: file.name, content: await base64(file) });
      await queries.invalidateQueries();
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="xs" align="flex-end">
      <FileButton accept=".wav,.ivf,.h264,.264" onChange={(file) => void upload(file)}>
        {(props) => (
          <Button loading={busy} {...props}>
            Upload a file
          </Button>
        )}
      </FileButton>
      {error && <Failed error={error} />}
    </Stack>
  );
}
