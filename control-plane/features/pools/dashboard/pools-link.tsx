/** The way from the workers to their pools. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';

export const PoolsLink = () => (
  <Button component={Link} to="/pools" variant="default">
    Pools
  </Button>
);
