import { useState } from 'react';
import { useTourChoicesQuery } from '../../generated/hooks';
import { t } from '../../shared/i18n/en/tour';
import { useDebouncedValue } from '../../shared/lib/hooks';
import { Combobox } from '../../shared/ui/Combobox';
import { useWorkspace } from '../workspace/workspace-context';
import type { TourChoice } from './tour-choices';

/** Searches for a tour on the server, because a workspace can have hundreds. */
export function TourPicker({
  value,
  except,
  onChange,
  onBlur,
}: {
  value: TourChoice | null;
  /** The id of a tour that cannot be chosen. */
  except?: string | undefined;
  onChange: (tour: TourChoice) => void;
  onBlur?: () => void;
}) {
  const { id } = useWorkspace();
  const [text, setText] = useState<string | null>(null);
  const wanted = text?.trim().slice(0, 80) ?? '';
  const search = useDebouncedValue(wanted, 150);
  const { data, previousData } = useTourChoicesQuery({
    variables: { workspaceId: id, search: search || null },
    skip: text === null,
  });
  const tours = (data ?? previousData)?.tours;
  const others = tours ? tours.totalCount - tours.nodes.length : 0;
  return (
    <Combobox
      label={t.list.title}
      value={value ? { ...value, name: value.title } : null}
      options={tours?.nodes.filter(({ id: each }) => each !== except).map(tour => ({ ...tour, name: tour.title }))}
      busy={data === undefined || search !== wanted}
      placeholder={t.picker.placeholder}
      nothing={t.picker.nothing}
      more={others > 0 ? t.picker.more(others) : null}
      onSearch={setText}
      onChange={onChange}
      onBlur={onBlur}
    />
  );
}
