import type { WatchFilter } from "../../api/watches.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";
import { WorkspacePick } from "../intel-scope/workspace-pick.tsx";

interface FiltersProps {
  readonly filter: WatchFilter;
  readonly onChange: (changes: WatchFilter) => void;
  /** Resolves when the address has no filter. */
  readonly onClear: () => Promise<void>;
}

/** Filters with few values, and their texts. */
const menus = {
  status: t.intel.statuses,
  role: t.watches.roles,
  grade: t.watches.grades,
  sort: t.watches.sorts,
};
const menuNames = ["status", "role", "grade", "sort"] as const;
/** Filters that other parts of the pages set. */
const chips = ["tag", "finding"] as const;

/** Filters of the list of watched domains. */
export function Filters({ filter, onChange, onClear }: FiltersProps) {
  const { workspace_id, ...others } = filter;
  return (
    <FilterBar
      filter={others}
      search={{
        label: t.watches.search,
        hint: t.watches.searchHint,
        value: filter.search,
        onSearch: (search) => onChange({ search }),
      }}
      onClear={onClear}
    >
      <WorkspacePick
        value={workspace_id}
        onPick={(picked) => onChange({ workspace_id: picked, client_id: undefined })}
      />
      <ClientPick
        workspace={workspace_id}
        value={filter.client_id}
        onPick={(client_id) => onChange({ client_id })}
      />
      {menuNames.map((name) => (
        <FilterMenu
          key={name}
          label={t.watches[name]}
          options={menus[name]}
          values={filter[name] ? [filter[name]] : []}
          onPick={([value]) => onChange({ [name]: value })}
        />
      ))}
      {chips.map((name) => {
        const [value, label] = [filter[name], name === "tag" ? t.watches.tag : t.watches.findingOf];
        return (
          value && (
            <button
              key={name}
              type="button"
              className="chip"
              data-active
              aria-label={t.common.clear(`${label} ${value}`)}
              onClick={() => onChange({ [name]: undefined })}
            >
              {label} <b className="cut">{value}</b>
            </button>
          )
        );
      })}
    </FilterBar>
  );
}
