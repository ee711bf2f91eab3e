import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type AuditEntry, type AuditFilter, auditFilters, auditQuery } from "../../api/audits.ts";
import { actorName } from "../../parts/actor-name.ts";
import type { Tone } from "../../parts/icons.tsx";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { AuditExport } from "./audit-export.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRow } from "./audit-row.tsx";
import { actionText, nameOfTarget } from "./audit-texts.ts";

const route = getRouteApi("/inside/account/audit");
const tones: Readonly<Record<string, Tone>> = { changed: "ok", read: "info", refused: "bad" };

function columns(open: string | undefined, toggle: (id: string) => void): readonly Column<AuditEntry>[] {
  return [
    {
      heading: t.audit.action,
      cell: ({ id, action }) => (
        <button type="button" className="opener bare" aria-expanded={id === open} onClick={() => toggle(id)}>
          {actionText(action)}
        </button>
      ),
      className: "main",
    },
    { heading: t.audit.target, cell: nameOfTarget, className: "wrap" },
    { heading: t.audit.actor, cell: ({ actor }) => actorName(actor), className: "wrap by" },
    { heading: t.audit.from, cell: ({ client_address }) => client_address, className: "muted wide-only num" },
    {
      heading: t.audit.outcome,
      cell: ({ outcome }) => (
        <StateBadge tone={tones[outcome] ?? "idle"}>{t.audit.outcomes[outcome] ?? outcome}</StateBadge>
      ),
    },
    { heading: t.audit.at, cell: ({ at }) => <Time at={at} withDay />, className: "right muted" },
  ];
}

/** Changes, refusals and reads in the account, newest first. */
export function AuditPage() {
  const { entry, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(auditQuery(filter));
  const change = (changes: AuditFilter & { readonly entry?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const narrow = (changes: AuditFilter) => change({ ...changes, entry: undefined });
  const toggle = (id: string) => change({ entry: id === entry ? undefined : id });
  const isFiltered = auditFilters.some((name) => filter[name]);

  return (
    <>
      <PageHead title={t.audit.title} detail={t.audit.detail}>
        <AuditExport filter={filter} />
      </PageHead>
      <AuditFilters filter={filter} onChange={narrow} />
      <section className="audit stack" aria-label={t.audit.title}>
        <ListCard query={query} empty={{ title: isFiltered ? t.audit.emptyFiltered : t.audit.empty }}>
          {(rows) => (
            <Table
              label={t.audit.title}
              columns={columns(entry, toggle)}
              rows={rows}
              rowKey={({ id }) => id}
              below={(row) => (row.id === entry ? <AuditRow entry={row} onNarrow={narrow} /> : undefined)}
            />
          )}
        </ListCard>
      </section>
    </>
  );
}
