import type { DmarcFilter } from "../../api/insights.ts";
import { FilterMenu } from "../../parts/filter-menu.tsx";
import { t } from "../../texts/texts.ts";
import { ScopeFilters } from "../intel-scope/scope-filters.tsx";
import { dayText } from "./day-text.ts";

interface DmarcFiltersProps {
  readonly filter: DmarcFilter;
  readonly onChange: (changes: DmarcFilter) => void;
}

/** The span of the page without a choice, in days. */
const WEEK = "7";

/** Filters of the sources of DMARC reports. */
export function DmarcFilters({ filter, onChange }: DmarcFiltersProps) {
  const { days = WEEK, day, result, known } = filter;
  return (
    <search className="row">
      <ScopeFilters scope={filter} onChange={onChange} />
      <FilterMenu
        label={t.dmarc.span}
        options={t.dmarc.spans}
        values={[days]}
        onPick={([picked]) => onChange({ days: picked === WEEK ? undefined : picked, day: undefined })}
      />
      <FilterMenu
        label={t.dmarc.result}
        options={t.dmarc.results}
        values={result ? [result] : []}
        onPick={([picked]) => onChange({ result: picked })}
      />
      <FilterMenu
        label={t.dmarc.kind}
        options={t.dmarc.kinds}
        values={known ? [known] : []}
        onPick={([picked]) => onChange({ known: picked })}
      />
      {day && (
        <button
          type="button"
          className="chip"
          data-active
          aria-label={t.common.clear(`${t.dmarc.day} ${dayText(day)}`)}
          onClick={() => onChange({ day: undefined })}
        >
          {t.dmarc.day} <b>{dayText(day)}</b>
        </button>
      )}
    </search>
  );
}
