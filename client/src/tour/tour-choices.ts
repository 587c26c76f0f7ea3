/** The tours of the workspace, for conditions that ask about another one. */
import { useToursQuery } from '../generated/hooks';
import { useWorkspace } from '../workspace/workspace-context';

export interface TourChoice {
  readonly id: string;
  readonly title: string;
}

export function useTourChoices(): readonly TourChoice[] {
  const { id } = useWorkspace();
  return useToursQuery({ variables: { workspaceId: id, first: 100 } }).data?.tours.nodes ?? [];
}
