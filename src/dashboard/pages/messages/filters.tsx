import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { countersQuery } from "../../api/counters.ts";
import { type FilterName, filterNames, type MessageFilter } from "../../api/messages.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { t } from "../../texts/texts.ts";

interface FiltersProps {
  readonly filter: MessageFilter;
  readonly onChange: (changes: MessageFilter) => void;
  readonly onClear: () => void;
}

const picked: ReadonlySet<FilterName> = new Set([
  ...(["q", "state", "provider", "opened", "clicked", "source", "from", "until"] as const),
]);

/** Small buttons for filters with choices, and one for each other filter in the address. */
export function Filters({ filter, onChange, onClear }: FiltersProps) {
  const menu = (name: FilterName, label: string, options: Readonly<Record<string, string>>) => (
    <FilterMenu
      label={label}
      options={options}
      values={filter[name] ? [filter[name]] : []}
      onPick={([value]) => onChange({ [name]: value })}
    />
  );
  const others = filterNames.filter((name) => !picked.has(name) && filter[name]);
  return (
    <>
      <FilterMenu
        label={t.messages.state}
        options={t.messages.states}
        values={filter.state?.split(",") ?? []}
        isMultiple
        onPick={(states) => onChange({ state: states.join(",") || undefined })}
      />
      <ProviderFilter value={filter.provider} onPick={(provider) => onChange({ provider })} />
      {menu("opened", t.messages.opened, t.messages.yesNo)}
      {menu("clicked", t.messages.clicked, t.messages.yesNo)}
      {menu("source", t.messages.source, t.messages.sources)}
      <TimeFilter label={t.messages.time} from={filter.from} until={filter.until} onChange={onChange} />
      {others.map((name) => {
        const [label, value] = [t.messages.otherFilters[name] ?? name, filter[name] ?? ""];
        return (
          <button
            key={name}
            type="button"
            className="chip"
            data-active="true"
            aria-label={t.messages.removeFilter(label, value)}
            onClick={() => onChange({ [name]: undefined })}
          >
            {label} <b className="cut">{value}</b> <span aria-hidden="true">×</span>
          </button>
        );
      })}
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" size="xs" onClick={onClear}>
          {t.common.clearFilters}
        </Button>
      )}
    </>
  );
}

interface ProviderFilterProps {
  readonly value: string | undefined;
  readonly onPick: (provider: string | undefined) => void;
}

/** The large providers, and those that received most mail in the last 30 days. */
function ProviderFilter({ value, onPick }: ProviderFilterProps) {
  const { data } = useQuery({
    ...countersQuery({ period: "30d", dimension: "provider" }),
    refetchInterval: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const frequent = (data?.series ?? []).flatMap(({ value: name, is_other }) => (is_other ? [] : [name]));
  const names = [...new Set([...Object.keys(t.overview.providers), ...frequent, ...(value ? [value] : [])])];
  return (
    <FilterMenu
      label={t.messages.provider}
      options={Object.fromEntries(names.map((name) => [name, t.overview.providers[name] ?? name]))}
      values={value ? [value] : []}
      onPick={([provider]) => onPick(provider)}
    />
  );
}
