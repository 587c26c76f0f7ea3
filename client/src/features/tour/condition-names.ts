import { useMemo } from 'react';
import { useSegmentsQuery } from '../../generated/hooks';
import { useWorkspace } from '../workspace/workspace-context';
import type { ConditionNames } from './condition-tree';
import { useTourChoices } from './tour-choices';

export function useConditionNames(): ConditionNames {
  const { slug } = useWorkspace();
  const tours = useTourChoices().data;
  const segments = useSegmentsQuery({ variables: { slug } }).data?.workspace?.segments;
  return useMemo(
    () => ({
      tour: id => tours?.find(each => each.id === id)?.title,
      segment: id => segments?.find(each => each.id === id)?.name,
    }),
    [tours, segments],
  );
}
