import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { WatchChange } from "../../api/watches.ts";
import { ApiText } from "../../parts/api-text.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";

const statusTones: Readonly<Record<string, Tone>> = { critical: "bad", warning: "warn", healthy: "ok" };
const severityTones: Readonly<Record<string, Tone>> = { critical: "bad", warning: "warn", info: "info" };

function toneOf({ kind, severity, to }: WatchChange): Tone {
  if (kind === "finding.opened") return severityTones[severity ?? ""] ?? "warn";
  if (kind === "watched_domain.status_changed") return statusTones[to ?? ""] ?? "idle";
  return kind === "blacklist.listed" ? "bad" : "ok";
}

/** The change in the language of the page. Hermod has the titles of checks of blacklists in English. */
function textOf({ kind, check_id: checkId, from, to, list, subject, text }: WatchChange): ReactNode {
  if (kind === "watched_domain.status_changed" && from !== null && to !== null)
    return t.watchChanges.status(t.intel.statuses[from] ?? from, t.intel.statuses[to] ?? to);
  if (kind === "blacklist.listed" && subject !== null) return t.watchChanges.listed(list ?? "", subject);
  if (kind === "blacklist.delisted" && subject !== null) return t.watchChanges.delisted(list ?? "", subject);
  const title = checkTitle(checkId ?? "", "");
  return title === "" ? <ApiText>{text}</ApiText> : title;
}

const columns: readonly Column<WatchChange>[] = [
  {
    heading: t.watchChanges.kind,
    cell: (change) => (
      <StateBadge tone={toneOf(change)}>{t.watchChanges.kinds[change.kind] ?? change.kind}</StateBadge>
    ),
  },
  {
    heading: t.watchChanges.domain,
    cell: ({ domain, domain_id: domainId }) => (
      <Link to="/intel/domains/$domainId" params={{ domainId }} className="main">
        {domain}
      </Link>
    ),
    className: "main wrap",
  },
  { heading: t.watchChanges.change, cell: textOf, className: "lines grow" },
  {
    heading: t.watchChanges.at,
    cell: ({ at }) => <Time at={at} withDay />,
    className: "right muted",
  },
];

/** Changes of domains, newest first. */
export function ChangeTable({ rows }: { readonly rows: readonly WatchChange[] }) {
  return <Table label={t.watchChanges.title} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
