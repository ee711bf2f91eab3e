import { Button } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { rowsOf } from "../../api/pages.ts";
import { type ReportLink, reportLinksQuery, revokeReportLink } from "../../api/reports.ts";
import { Confirm } from "../../parts/confirm.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { LoadMore } from "../../parts/load-more.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { active: "ok" };

const columns: readonly Column<ReportLink>[] = [
  {
    heading: t.intelReports.note,
    cell: ({ note }) => note ?? <span className="muted">{t.intelReports.noNote}</span>,
    className: "main wrap",
  },
  {
    heading: t.intelReports.state,
    cell: ({ state }) => (
      <StateBadge tone={tones[state] ?? "idle"}>{t.intelReports.linkStates[state] ?? state}</StateBadge>
    ),
  },
  {
    heading: t.intelReports.ends,
    cell: ({ expires_at: end, revoked_at: revoked }) => <Time at={revoked ?? end} withDay />,
    className: "muted",
  },
  { heading: t.intelReports.opens, cell: ({ opens }) => numberText(opens), className: "right num" },
  {
    heading: t.intelReports.downloads,
    cell: ({ downloads }) => numberText(downloads),
    className: "right num",
  },
  {
    heading: t.intelReports.lastOpened,
    cell: ({ last_opened_at: at }) => at && <Time at={at} withDay />,
    className: "muted wide-only",
  },
];

/** Links that open the report without a session. */
export function ReportLinks({ reportId }: { readonly reportId: string }) {
  const may = useMay();
  const query = useInfiniteQuery(reportLinksQuery(reportId));
  const [asked, setAsked] = useState<ReportLink>();
  const actions: Column<ReportLink> = {
    heading: t.common.actions,
    cell: (link) =>
      link.state === "active" && (
        <Button
          variant="default"
          size="xs"
          aria-label={t.intelReports.revokeOne(link.note ?? link.id)}
          onClick={() => setAsked(link)}
        >
          {t.intelReports.revoke}
        </Button>
      ),
    className: "right",
  };
  return (
    <section className="card" aria-labelledby="links">
      <header>
        <h2 id="links">{t.intelReports.links}</h2>
      </header>
      <StateView
        query={query}
        empty={{
          when: (data) => rowsOf(data).length === 0,
          view: <div className="body muted">{t.intelReports.noLinks}</div>,
        }}
      >
        {(data) => (
          <Table
            label={t.intelReports.links}
            columns={may("intel.write") ? [...columns, actions] : columns}
            rows={rowsOf(data)}
            rowKey={({ id }) => id}
          />
        )}
      </StateView>
      <LoadMore query={query} />
      {asked && <Revoke link={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

function Revoke({ link, onClose }: { readonly link: ReportLink; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeReportLink(link.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: reportLinksQuery(link.report_id).queryKey });
      onClose();
    },
  });
  return (
    <Confirm
      title={t.intelReports.revokeTitle}
      detail={t.intelReports.revokeDetail(link.note ?? "")}
      action={t.intelReports.revoke}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}
