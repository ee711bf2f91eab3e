import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ListedWatch, watchesBy } from "../../api/watches.ts";
import type { IntelClient } from "../../api/workspaces.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import type { Column } from "../../parts/table.tsx";
import { TableCard } from "../../parts/table-card.tsx";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";
import { scoreText } from "./client-state.tsx";

const tones: Readonly<Record<string, Tone>> = { healthy: "ok", warning: "warn", critical: "bad" };

const columns: readonly Column<ListedWatch>[] = [
  {
    heading: t.intelScope.domain,
    cell: ({ id, name_unicode: name }) => (
      <Link to="/intel/domains/$domainId" params={{ domainId: id }} className="main">
        {name}
      </Link>
    ),
    className: "main wrap",
  },
  {
    heading: t.clients.worst,
    cell: ({ status }) => (
      <StateBadge tone={tones[status] ?? "idle"}>{t.intel.statuses[status] ?? status}</StateBadge>
    ),
  },
  {
    heading: t.clients.repairFirst,
    cell: ({ top_findings: [top] }) => top && checkTitle(top.check_id, top.title),
    className: "grow muted wrap wide-only",
  },
  { heading: t.intel.score, cell: ({ score }) => scoreText(score), className: "right num" },
];

/** The domains of a client with their scores. */
export function DomainsCard({ client: { id, workspace_id } }: { readonly client: IntelClient }) {
  const query = useInfiniteQuery(watchesBy({ workspace_id, client_id: id, sort: "name" }));
  return (
    <TableCard
      id="client-domains"
      title={t.workspaces.domains}
      query={query}
      empty={
        <div className="notice">
          <strong>{t.repairs.noDomains}</strong>
          <p className="muted">{t.repairs.noDomainsDetail}</p>
        </div>
      }
      columns={columns}
      rowKey={({ id: key }) => key}
    />
  );
}
