/** The way from the workers to their pools. */
import { Button } from '@mantine/core';
import { Link } from '../../../dashboard/router.tsx';

export const PoolsLink = () => (
  <Button component={Link} to="/pools" variant="default">
    Pools
  </Button>
);
