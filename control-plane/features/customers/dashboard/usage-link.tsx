/** The way to the organization's use by project, for its OWNERs. */
import { Button } from '@mantine/core';
import { useMay, useMe } from '../../../dashboard/me.tsx';
import { Link } from '../../../dashboard/router.tsx';

export function UsageLink() {
  const { allProjects } = useMe();
  const may = useMay();
  return may('OWNER') && allProjects ? (
    <Button component={Link} to="/usage" variant="default">
      Usage by project
    </Button>
  ) : null;
}
