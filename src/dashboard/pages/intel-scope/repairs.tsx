import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Finding, findingsQuery, type InsightScope } from "../../api/insights.ts";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { Severity } from "../incidents/incident-state.tsx";
import { checkTitle } from "./check-title.ts";
import { RepairDomains } from "./repair-domains.tsx";

interface RepairsProps {
  readonly scope: InsightScope;
  /** Number of repairs that are shown at first. */
  readonly most: number;
  /** Id of the check with open domains; undefined: none. */
  readonly open: string | undefined;
  readonly onOpen: (checkId: string | undefined) => void;
}

/** The repairs that gain most over the domains of a scope. Each opens the domains that need it. */
export function Repairs({ scope, most, open, onOpen }: RepairsProps) {
  const query = useQuery(findingsQuery(scope));
  const [isAll, setAll] = useState(false);
  const isFound = query.data?.data.some(({ check_id: id }) => id === open) ?? true;
  return (
    <section className="card" aria-labelledby="repairs">
      <header>
        <div>
          <h2 id="repairs">{t.repairs.title}</h2>
          <p className="muted tight">{t.repairs.detail}</p>
        </div>
      </header>
      <StateView
        query={query}
        empty={{
          when: ({ data }) => data.length === 0,
          view: <Nothing count={query.data?.domain_count ?? 0} scored={query.data?.scored_count ?? 0} />,
        }}
      >
        {({ data }) => (
          <>
            <Table
              label={t.repairs.title}
              columns={columnsOf(open, (id) => onOpen(id === open ? undefined : id))}
              rows={data.filter(({ check_id: id }, index) => isAll || index < most || id === open)}
              rowKey={({ check_id: id }) => id}
              below={({ check_id: id }) =>
                id === open ? <RepairDomains checkId={id} scope={scope} /> : undefined
              }
            />
            {data.length > most && !isAll && (
              <div className="body">
                <Button variant="default" size="xs" onClick={() => setAll(true)}>
                  {t.repairs.showAll(data.length)}
                </Button>
              </div>
            )}
          </>
        )}
      </StateView>
      {/* A link to a repair that was made since. */}
      {open !== undefined && !isFound && <RepairDomains checkId={open} scope={scope} />}
    </section>
  );
}

/** Without a measured domain, no finding does not mean that all is well. */
function Nothing({ count, scored }: { readonly count: number; readonly scored: number }) {
  const isMeasured = scored > 0;
  return (
    <div className="notice">
      <strong>
        {isMeasured ? t.repairs.nothing : count === 0 ? t.repairs.noDomains : t.repairs.notMeasured}
      </strong>
      <p className="muted">
        {isMeasured
          ? t.repairs.nothingDetail(scored)
          : count === 0
            ? t.repairs.noDomainsDetail
            : t.repairs.notMeasuredDetail}
      </p>
    </div>
  );
}

const columnsOf = (
  open: string | undefined,
  onToggle: (checkId: string) => void,
): readonly Column<Finding>[] => [
  {
    heading: t.repairs.finding,
    cell: ({ check_id: id, title }) => (
      <button type="button" className="opener bare" aria-expanded={id === open} onClick={() => onToggle(id)}>
        {checkTitle(id, title)}
      </button>
    ),
    className: "main wrap grow",
  },
  { heading: t.repairs.severity, cell: ({ severity }) => <Severity severity={severity} /> },
  {
    heading: t.repairs.domains,
    cell: ({ domain_count: count }) => numberText(count),
    className: "right num",
  },
  { heading: t.repairs.gain, cell: ({ gain }) => `+${numberText(gain)}`, className: "right num" },
];
