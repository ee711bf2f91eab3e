import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditFilter } from "../../api/audits.ts";
import { membersQuery } from "../../api/members.ts";
import { rowsOf } from "../../api/pages.ts";
import { PickField } from "../../parts/pick-field.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { TimeFilter } from "../../parts/time-filter.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { filterText } from "./audit-texts.ts";

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (changes: AuditFilter) => void;
}

/** Filters of the log. A value that a menu does not list comes from the address or from an open entry. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const may = useMay();
  const { data } = useInfiniteQuery({ ...membersQuery, enabled: may("members.read") });
  const members = Object.fromEntries(rowsOf(data).map(({ user_id, email }) => [user_id, email || user_id]));
  const { action, actor_id: actor, target_id: target, outcome, from, until } = filter;
  return (
    <search className="row audit">
      <PickField
        label={t.audit.action}
        options={{ ...t.audit.resources, ...(action && { [action]: filterText(action) }) }}
        value={action}
        onPick={(picked) => onChange({ action: picked })}
      />
      <PickField
        label={t.audit.actor}
        options={{ ...(actor && { [actor]: actor }), ...members }}
        value={actor}
        onPick={(picked) => onChange({ actor_id: picked })}
      />
      <PickField
        label={t.audit.outcome}
        options={t.audit.outcomes}
        value={outcome}
        onPick={(picked) => onChange({ outcome: picked })}
      />
      <SearchField
        // A press of "Only this target" sets the text.
        key={target ?? ""}
        label={t.audit.target}
        hint={t.audit.targetHint}
        value={target}
        onSearch={(text) => onChange({ target_id: text })}
      />
      <TimeFilter label={t.audit.at} from={from} until={until} onChange={onChange} />
    </search>
  );
}
