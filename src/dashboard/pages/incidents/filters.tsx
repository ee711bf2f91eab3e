import { useInfiniteQuery } from "@tanstack/react-query";
import type { IncidentFilter } from "../../api/incidents.ts";
import { membersQuery } from "../../api/members.ts";
import { rowsOf } from "../../api/pages.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";

interface FiltersProps {
  readonly filter: IncidentFilter;
  readonly onChange: (changes: IncidentFilter) => void;
  /** Resolves when the address has no filter. */
  readonly onClear: () => Promise<void>;
}

/** Filters of the list of incidents. */
export function Filters({ filter, onChange, onClear }: FiltersProps) {
  const may = useMay();
  // It completes the menu of assignees.
  const members = useInfiniteQuery({ ...membersQuery, enabled: may("members.read") });
  const assignees = Object.fromEntries([
    ["none", t.incidents.nobody],
    ...rowsOf(members.data).map(({ user_id, email }) => [user_id, email]),
  ]) as Record<string, string>;
  return (
    <FilterBar
      filter={filter}
      search={{
        label: t.incidents.search,
        hint: t.incidents.searchHint,
        value: filter.text,
        onSearch: (text) => onChange({ text }),
      }}
      onClear={onClear}
    >
      {(["state", "severity"] as const).map((name) => (
        <FilterMenu
          key={name}
          label={t.incidents[name]}
          options={{ state: t.incidents.states, severity: t.incidents.severities }[name]}
          values={filter[name]?.split(",") ?? []}
          isMultiple
          onPick={(values) => onChange({ [name]: values.join(",") || undefined })}
        />
      ))}
      <FilterMenu
        label={t.incidents.assignee}
        options={assignees}
        values={filter.assignee ? [filter.assignee] : []}
        onPick={([assignee]) => onChange({ assignee })}
      />
      <FilterMenu
        label={t.incidents.sort}
        options={t.incidents.sorts}
        values={filter.sort ? [filter.sort] : []}
        onPick={([sort]) => onChange({ sort })}
      />
      <TimeFilter label={t.incidents.opened} from={filter.from} until={filter.until} onChange={onChange} />
      {filter.rule && (
        <button type="button" className="chip" data-active onClick={() => onChange({ rule: undefined })}>
          {t.incidents.rule} <b className="cut">{filter.rule}</b>
        </button>
      )}
    </FilterBar>
  );
}
