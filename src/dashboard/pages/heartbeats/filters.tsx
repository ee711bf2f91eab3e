import type { HeartbeatFilter } from "../../api/heartbeats.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { t } from "../../texts/texts.ts";

interface FiltersProps {
  readonly filter: HeartbeatFilter;
  readonly onChange: (changes: HeartbeatFilter) => void;
  /** Resolves when the address has no filter. */
  readonly onClear: () => Promise<void>;
}

/** Filters of the list of heartbeats. */
export function Filters({ filter, onChange, onClear }: FiltersProps) {
  return (
    <FilterBar
      filter={filter}
      search={{
        label: t.heartbeats.search,
        hint: t.heartbeats.searchHint,
        value: filter.search,
        onSearch: (search) => onChange({ search }),
      }}
      onClear={onClear}
    >
      <FilterMenu
        label={t.heartbeats.state}
        options={t.heartbeats.states}
        values={filter.state ? [filter.state] : []}
        onPick={([state]) => onChange({ state })}
      />
      {filter.tag && (
        <button type="button" className="chip" data-active onClick={() => onChange({ tag: undefined })}>
          {t.heartbeats.tag} <b className="cut">{filter.tag}</b>
        </button>
      )}
    </FilterBar>
  );
}
