import type { DmarcSource } from "../../api/insights.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { numberText, percentText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";
import { SourceDetails } from "./source-details.tsx";

interface SourceTableProps {
  readonly rows: readonly DmarcSource[];
  /** Days in UTC of the numbers of each source. */
  readonly days: readonly string[];
  /** Source with open details. */
  readonly open: string | undefined;
  readonly onToggle: (source: string) => void;
}

/** Sources of mail, with their messages and results. */
export function SourceTable({ rows, days, open, onToggle }: SourceTableProps) {
  const columns: readonly Column<DmarcSource>[] = [
    {
      heading: t.dmarc.source,
      cell: ({ source, known }) => (
        <span className="row">
          <button
            type="button"
            className="link bare"
            aria-expanded={source === open}
            aria-label={t.dmarc.showDays(source)}
            onClick={() => onToggle(source)}
          >
            {source}
          </button>
          <StateBadge tone={known ? "info" : "idle"}>
            {known ? t.dmarc.kinds.true : t.dmarc.kinds.false}
          </StateBadge>
        </span>
      ),
      className: "main wrap",
    },
    { heading: t.dmarc.messages, cell: ({ sums }) => numberText(sums.messages), className: "right num" },
    {
      heading: t.dmarc.failed,
      cell: ({ sums }) => <Failed failed={sums.failed} messages={sums.messages} />,
      className: "right num",
    },
    {
      heading: t.dmarc.dkim,
      cell: ({ sums }) => percentText(sums.dkim_aligned / Math.max(1, sums.messages)),
      className: "right num muted wide-only",
    },
    {
      heading: t.dmarc.spf,
      cell: ({ sums }) => percentText(sums.spf_aligned / Math.max(1, sums.messages)),
      className: "right num muted wide-only",
    },
    {
      heading: t.dmarc.domains,
      cell: ({ domains, domain_count: count }) => (
        <>
          {domains.slice(0, 2).join(", ")}
          {count > 2 && ` ${t.dmarc.moreDomains(count - Math.min(2, domains.length))}`}
        </>
      ),
      className: "grow muted wrap wide-only",
    },
  ];
  return (
    <div className="card">
      <Table
        label={t.dmarc.title}
        columns={columns}
        rows={rows}
        rowKey={({ source }) => source}
        below={(row) => (row.source === open ? <SourceDetails source={row} days={days} /> : undefined)}
      />
    </div>
  );
}

function Failed({ failed, messages }: { readonly failed: number; readonly messages: number }) {
  if (failed === 0) return <span className="muted">{numberText(0)}</span>;
  return (
    <StateBadge tone="bad">
      {t.dmarc.failedOf(numberText(failed), percentText(failed / Math.max(1, messages)))}
    </StateBadge>
  );
}
