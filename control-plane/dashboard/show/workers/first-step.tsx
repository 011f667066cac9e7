/** An empty page of a project whose first step may be elsewhere: without an agent no call is placed, without a test none is asked for. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCall } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Link } from '../../router.tsx';
import { Empty, Waiting } from '../basics/page.tsx';

type Props = {
  readonly projectId: string;
  readonly title: string;
  readonly needsTest?: true;
  /** One sentence: what the page is for. */
  readonly children: string;
  /** The step once all that it needs is there. */
  readonly action: ReactNode;
};

export function FirstStep({ projectId, title, needsTest, children, action }: Props) {
  const enrolls = useMay()('ADMIN');
  const creates = useMay(projectId)('EDITOR');
  const workers = useCall('listWorkers', { per_page: 100 });
  const tests = useCall('listTests', { projectId, per_page: 100 }, { enabled: needsTest === true });
  if (workers.isLoading || tests.isLoading) return <Waiting />;
  const [needs, step] =
    workers.data?.rows.length === 0
      ? enrolls
        ? ['First enroll an agent, which places the calls.', <ToWorkers key="workers" projectId={projectId} />]
        : ['First an administrator of your organization enrolls an agent, which places the calls.', null]
      : tests.data?.rows.length === 0
        ? [
            'First create a test.',
            creates && (
              <Button key="test" component={Link} to={`/projects/${projectId}/tests/new`}>
                New test
              </Button>
            ),
          ]
        : ['', action];
  return (
    <Empty title={title} action={step}>
      {children} {needs}
    </Empty>
  );
}

/** The page has a link that leads back. */
const ToWorkers = ({ projectId }: { projectId: string }) => (
  <Button component={Link} to="/workers" search={{ from: projectId }}>
    Enroll an agent
  </Button>
);

export const ToTests = ({ projectId }: { projectId: string }) => (
  <Button component={Link} to={`/projects/${projectId}/tests`}>
    Go to tests
  </Button>
);
