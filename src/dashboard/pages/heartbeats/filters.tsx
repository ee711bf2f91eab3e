import { Button } from "@mantine/core";
import { useState } from "react";
import type { HeartbeatFilter } from "../../api/heartbeats.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { t } from "../../texts/texts.ts";

interface FiltersProps {
  readonly filter: HeartbeatFilter;
  readonly onChange: (changes: HeartbeatFilter) => void;
  /** Resolves when the address has no filter. */
  readonly onClear: () => Promise<void>;
}

/** Filters of the list of heartbeats. */
export function Filters({ filter, onChange, onClear }: FiltersProps) {
  const [clears, setClears] = useState(0);
  return (
    <search className="row">
      <SearchField
        // A cleared filter empties the field.
        key={clears}
        label={t.heartbeats.search}
        hint={t.heartbeats.searchHint}
        value={filter.search}
        onSearch={(search) => onChange({ search })}
      />
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
      {Object.values(filter).some(Boolean) && (
        <Button variant="subtle" size="xs" onClick={() => void onClear().then(() => setClears(clears + 1))}>
          {t.common.clearFilters}
        </Button>
      )}
    </search>
  );
}
