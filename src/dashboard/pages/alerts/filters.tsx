import type { AlertFilter } from "../../api/incidents.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { t } from "../../texts/texts.ts";

interface FiltersProps {
  readonly filter: AlertFilter;
  readonly onChange: (changes: AlertFilter) => void;
  /** Resolves when the address has no filter. */
  readonly onClear: () => Promise<void>;
}

const given = ["source", "rule", "incident_id"] as const;

/** Filters of the list of alerts. */
export function Filters({ filter, onChange, onClear }: FiltersProps) {
  return (
    <FilterBar
      filter={filter}
      search={{
        label: t.alerts.search,
        hint: t.alerts.searchHint,
        value: filter.text,
        onSearch: (text) => onChange({ text }),
      }}
      onClear={onClear}
    >
      <FilterMenu
        label={t.incidents.severity}
        options={t.incidents.severities}
        values={filter.severity?.split(",") ?? []}
        isMultiple
        onPick={(values) => onChange({ severity: values.join(",") || undefined })}
      />
      <FilterMenu
        label={t.alerts.outcome}
        options={t.alerts.outcomes}
        values={filter.outcome?.split(",") ?? []}
        isMultiple
        onPick={(values) => onChange({ outcome: values.join(",") || undefined })}
      />
      <TimeFilter label={t.alerts.received} from={filter.from} until={filter.until} onChange={onChange} />
      {given.map(
        (name) =>
          filter[name] && (
            <button
              key={name}
              type="button"
              className="chip"
              data-active
              aria-label={t.common.clear(`${t.alerts.filters[name]} ${filter[name]}`)}
              onClick={() => onChange({ [name]: undefined })}
            >
              {t.alerts.filters[name]} <b className="cut">{filter[name]}</b>
            </button>
          ),
      )}
    </FilterBar>
  );
}
