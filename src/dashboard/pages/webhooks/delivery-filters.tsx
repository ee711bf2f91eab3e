import { useQuery } from "@tanstack/react-query";
import type { DeliveryFilter } from "../../api/deliveries.ts";
import { webhookTypesQuery } from "../../api/webhooks.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { t } from "../../texts/texts.ts";

interface DeliveryFiltersProps {
  readonly filter: DeliveryFilter;
  /** URLs of the endpoints by id; undefined: the list is of one endpoint. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
  readonly onChange: (changes: DeliveryFilter) => void;
  /** Resolves when the address has no filter. */
  readonly onClear: () => Promise<void>;
}

/** Filters of a list of deliveries. */
export function DeliveryFilters({ filter, endpoints, onChange, onClear }: DeliveryFiltersProps) {
  // It completes the menu of types.
  const { data } = useQuery(webhookTypesQuery);
  const types = [...(data?.data.map(({ type }) => type) ?? []), ...(filter.type ? [filter.type] : [])];
  const menu = (
    name: "state" | "type" | "status" | "endpoint_id",
    label: string,
    options: Readonly<Record<string, string>>,
  ) => (
    <FilterMenu
      label={label}
      options={options}
      values={filter[name] ? [filter[name]] : []}
      onPick={([value]) => onChange({ [name]: value })}
    />
  );
  return (
    <FilterBar
      filter={filter}
      search={{
        label: t.deliveries.search,
        hint: t.deliveries.searchHint,
        value: filter.message_id ?? filter.event_id,
        onSearch: (text) => onChange(searched(text)),
      }}
      onClear={onClear}
    >
      {endpoints && menu("endpoint_id", t.deliveries.endpoint, endpoints)}
      {menu("state", t.deliveries.state, t.deliveries.states)}
      {menu("type", t.deliveries.type, Object.fromEntries(types.map((type) => [type, type])))}
      {menu("status", t.deliveries.status, t.deliveries.statuses)}
      <TimeFilter label={t.deliveries.time} from={filter.from} until={filter.until} onChange={onChange} />
    </FilterBar>
  );
}

/** The id of a message is `msg_` and 26 characters. Ids of its events are longer. */
function searched(text: string | undefined): DeliveryFilter {
  const isMessage = text !== undefined && /^msg_[0-9a-z]{26}$/.test(text);
  return isMessage ? { message_id: text, event_id: undefined } : { message_id: undefined, event_id: text };
}
