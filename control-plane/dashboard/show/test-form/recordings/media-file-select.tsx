/** The choice of a recording of the project. */
import { Select } from '@mantine/core';
import { useCall } from '../../../api.ts';
import { useParams } from '../../../router.tsx';

type Props = {
  readonly kind: 'AUDIO' | 'VIDEO';
  readonly value: string | null;
  readonly error?: string | undefined;
  readonly onChange: (id: string | null) => void;
};

export function MediaFileSelect({ kind, value, error, onChange }: Props) {
  const { projectId } = useParams() as { projectId: string };
  const files = useCall('listMediaFiles', { projectId, per_page: 100 });
  const found = (files.data?.rows ?? []).filter((f) => f.kind === kind);
  return (
    <Select
      label={kind === 'AUDIO' ? 'Media file' : 'Video file'}
      description="A recording uploaded to this project."
      required
      placeholder={found.length === 0 ? 'Upload one on the Media files page' : 'Choose'}
      data={found.map((f) => ({ value: f.id, label: f.name }))}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
