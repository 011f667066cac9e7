/** The page of the recordings that tests play: upload and removal. */
import { Anchor, Button, FileButton, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { MAX_MEDIA_BYTES } from '../../contract/project/media-file.ts';
import { call, queries, useCall } from '../api.ts';
import { useMay } from '../me.tsx';
import { useParams } from '../router.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { bytes, duration } from '../show/basics/figures.ts';
import { ActionsHeading, Answer, Card, Empty, Failed, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { Time } from '../show/basics/time.tsx';
import { Player } from '../show/test-form/recordings/player.tsx';
import { uploadMediaFile } from '../show/test-form/recordings/upload.ts';

const formatOf = (file: Output<'getMediaFile'>): string =>
  file.video
    ? `${file.video.codec}, ${file.video.widthPx} × ${file.video.heightPx}`
    : `${(file.sampleRateHz ?? 0) / 1000} kHz, ${file.channels === 2 ? 'stereo' : 'mono'}`;

export function MediaPage() {
  const { projectId } = useParams() as { projectId: string };
  const may = useMay(projectId);
  const [page, setPage] = useState(1);
  const [played, setPlayed] = useState<string | null>(null);
  const files = useCall('listMediaFiles', { projectId, page });
  const upload = may('EDITOR') && <Upload projectId={projectId} />;
  return (
    <Page title="Media files" actions={(files.data?.rows.length ?? 0) > 0 && upload}>
      <Card pad={false}>
        <Answer of={files}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No media file yet" action={upload}>
                Tests send a tone, artificial speech or silence by themselves. Upload a recording where it must be
                yours: WAV for sound, IVF (VP8) or H.264 for video, at most {bytes(MAX_MEDIA_BYTES)} and ten minutes.
              </Empty>
            ) : (
              <>
                <Table miw={760}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>File</Table.Th>
                      <Table.Th>Kind</Table.Th>
                      <Table.Th ta="right">Length</Table.Th>
                      <Table.Th ta="right">Size</Table.Th>
                      <Table.Th>Uploaded</Table.Th>
                      <ActionsHeading />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((f) => (
                      <Fragment key={f.id}>
                        <Table.Tr>
                          <Table.Td className="long">
                            <Text fw={600}>{f.name}</Text>
                          </Table.Td>
                          <Table.Td>{formatOf(f)}</Table.Td>
                          <Table.Td ta="right">{duration(f.durationMs / 1000)}</Table.Td>
                          <Table.Td ta="right">{bytes(f.sizeBytes)}</Table.Td>
                          <Table.Td>
                            <Time at={f.createdAt} relative />
                          </Table.Td>
                          <Table.Td>
                            <Group gap="xs" justify="flex-end" wrap="nowrap">
                              {f.kind === 'AUDIO' ? (
                                <Button
                                  size="xs"
                                  variant="default"
                                  aria-expanded={played === f.id}
                                  aria-label={`${played === f.id ? 'Close' : 'Play'} ${f.name}`}
                                  onClick={() => setPlayed(played === f.id ? null : f.id)}
                                >
                                  {played === f.id ? 'Close' : 'Play'}
                                </Button>
                              ) : (
                                <Anchor
                                  size="sm"
                                  underline="always"
                                  href={`/api/v1/projects/${projectId}/media-files/${f.id}/content`}
                                  download
                                >
                                  Download
                                </Anchor>
                              )}
                              {may('EDITOR') && (
                                <Confirm
                                  label="Delete"
                                  title={`Delete ${f.name}?`}
                                  act={async () => {
                                    await call('deleteMediaFile', { projectId, mediaFileId: f.id });
                                    await queries.invalidateQueries();
                                  }}
                                >
                                  A file that a test plays cannot be deleted.
                                </Confirm>
                              )}
                            </Group>
                          </Table.Td>
                        </Table.Tr>
                        {played === f.id && (
                          <Table.Tr>
                            <Table.Td colSpan={6}>
                              <div className="in-sight">
                                <Player projectId={projectId} file={f} />
                              </div>
                            </Table.Td>
                          </Table.Tr>
                        )}
                      </Fragment>
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

type Sending = { readonly name: string; readonly share: number; readonly stop: () => void };

function Upload({ projectId }: { projectId: string }) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const upload = async (file: File | null) => {
    if (!file) return;
    const aborted = new AbortController();
    const show = (share: number) => setSending({ name: file.name, share, stop: () => aborted.abort() });
    setError(null);
    show(0);
    try {
      if (file.size > MAX_MEDIA_BYTES)
        throw new Error(
          `${file.name} has ${bytes(file.size)}; the limit for a media file is ${bytes(MAX_MEDIA_BYTES)}.`,
        );
      await uploadMediaFile(projectId, file, show, aborted.signal);
      await queries.invalidateQueries();
    } catch (thrown) {
      if (!aborted.signal.aborted) setError(thrown as Error);
    } finally {
      setSending(null);
    }
  };
  return (
    <Stack gap="xs" align="flex-end">
      <FileButton accept=".wav,.ivf,.h264,.264" onChange={(file) => void upload(file)}>
        {(props) => (
          <Button loading={sending !== null} {...props}>
            Upload a file
          </Button>
        )}
      </FileButton>
      {sending && (
        <div style={{ width: 260 }}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" truncate role="status">
              {sending.share < 1
                ? `${sending.name}, ${Math.floor(sending.share * 100)} %`
                : `${sending.name} is being checked`}
            </Text>
            <Button size="compact-xs" variant="default" onClick={sending.stop}>
              Stop
            </Button>
          </Group>
          <Progress value={sending.share * 100} aria-label={`Upload of ${sending.name}`} mt={4} />
        </div>
      )}
      {error && <Failed error={error} />}
    </Stack>
  );
}
