import { useQuery } from "@tanstack/react-query";
import { type SuppressionFilter, suppressionCountsQuery } from "../../api/suppressions.ts";
import { StateView } from "../../parts/state-view.tsx";
import { t } from "../../texts/texts.ts";
import { countText } from "./count-text.ts";

interface ReasonCountsProps {
  readonly filter: SuppressionFilter;
  readonly onPick: (reason: string | undefined) => void;
}

/** Entries by reason. A number sets the filter by its reason; a second press clears it. */
export function ReasonCounts({ filter, onPick }: ReasonCountsProps) {
  const query = useQuery(suppressionCountsQuery(filter));
  const button = (reason: string, count: string) => (
    <button
      key={reason}
      type="button"
      className="bare"
      aria-pressed={filter.reason === reason}
      onClick={() => onPick(filter.reason === reason ? undefined : reason)}
    >
      <span className="muted">{t.suppressions.reasons[reason] ?? reason}</span>
      <b className="num">{count}</b>
    </button>
  );
  const names = Object.keys(t.suppressions.reasons);
  return (
    <section className="card" aria-label={t.suppressions.counts}>
      <StateView
        query={query}
        shape={<div className="counts">{names.map((reason) => button(reason, "0"))}</div>}
      >
        {({ reasons }) => (
          <div className="counts">
            {reasons.map(({ reason, ...counted }) => button(reason, countText(counted)))}
          </div>
        )}
      </StateView>
    </section>
  );
}
