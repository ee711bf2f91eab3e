import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { findingsQuery } from "../../api/insights.ts";
import type { Watch } from "../../api/watches.ts";
import { StateView } from "../../parts/state-view.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { Severity } from "../incidents/incident-state.tsx";
import { checkTitle } from "../intel-scope/check-title.ts";
import { CheckDetails } from "./check-details.tsx";
import { type Repair, repairsOf } from "./repairs-of.ts";

const route = getRouteApi("/inside/intel/domains/$domainId");

/** The findings of a domain by the gain of their repair, each with its record. */
export function Repairs({ watch }: { readonly watch: Watch }) {
  const query = useQuery(findingsQuery({ domain_id: watch.id }));
  return (
    <section className="card" aria-labelledby="repairs">
      <header>
        <h2 id="repairs">{t.watches.tabs.repairs}</h2>
      </header>
      <StateView query={query}>
        {({ data }) => {
          const gains = new Map(data.map(({ check_id: id, gain }) => [id, gain]));
          return <RepairList watch={watch} repairs={repairsOf(watch, gains)} />;
        }}
      </StateView>
    </section>
  );
}

interface RepairListProps {
  readonly watch: Watch;
  readonly repairs: readonly Repair[];
}

/** The first repair is open, unless the address names another check. */
function RepairList({ watch, repairs }: RepairListProps) {
  const { check: asked } = route.useSearch();
  const [first] = repairs;
  const [toggled, setToggled] = useState<string>();
  const isAsked = repairs.some(({ check }) => check.id === asked);
  const open = toggled ?? (isAsked ? asked : first?.check.id);
  if (first === undefined)
    return (
      <p className="body muted" role="status">
        {watch.checked_at === null ? t.watches.notYet : t.watches.isHealthy}
      </p>
    );
  return (
    <>
      <p className="body">
        {t.watches.toRepair(repairs.length)}{" "}
        {(first.gain ?? 0) > 0 && t.watches.firstGain(numberText(first.gain ?? 0))}
      </p>
      <ol className="catalogue">
        {repairs.map(({ check, gain }) => (
          <li key={check.id}>
            <div className="spread">
              <button
                type="button"
                className="opener bare"
                aria-expanded={check.id === open}
                onClick={() => setToggled(check.id === open ? "" : check.id)}
              >
                {checkTitle(check.id, check.title)}
              </button>
              <span className="row">
                {gain !== undefined && (
                  <b className="num">
                    {gain > 0 ? t.watches.gains(numberText(gain)) : t.watches.gainsNothing}
                  </b>
                )}
                <Severity severity={check.severity ?? ""} />
              </span>
            </div>
            {check.id === open && <CheckDetails watch={watch} check={check} gain={gain} />}
          </li>
        ))}
      </ol>
    </>
  );
}
