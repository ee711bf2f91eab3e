import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { rowsOf } from "../../api/pages.ts";
import { type Schedule, schedulesQuery } from "../../api/schedules.ts";
import { ListCard } from "../../parts/list-card.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Table } from "../../parts/table.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { WorkspacePick } from "../intel-scope/workspace-pick.tsx";
import { ScheduleActions } from "./schedule-actions.tsx";
import { scheduleColumns } from "./schedule-columns.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";

const route = getRouteApi("/inside/intel/schedules");

/** Schedules that create and mail reports. */
export function ScheduleListPage() {
  const { workspace_id } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const query = useInfiniteQuery(schedulesQuery(workspace_id));
  const isAny = rowsOf(query.data).length > 0;
  const columns = may("intel.write")
    ? [
        ...scheduleColumns,
        {
          heading: t.common.actions,
          cell: (schedule: Schedule) => <ScheduleActions schedule={schedule} />,
          className: "right",
        },
      ]
    : scheduleColumns;
  const add = may("intel.write") && (
    <Button onClick={() => setAdding(true)}>{t.reportSchedules.create}</Button>
  );
  return (
    <>
      <PageHead
        title={t.reportSchedules.title}
        detail={t.reportSchedules.detail}
        above={
          <Link to="/intel/reports" className="link">
            {t.intelReports.title}
          </Link>
        }
      >
        {isAny && add}
      </PageHead>
      <search className="row">
        <WorkspacePick
          value={workspace_id}
          onPick={(picked) =>
            void navigate({ search: picked ? { workspace_id: picked } : {}, replace: true })
          }
        />
      </search>
      <ListCard
        query={query}
        empty={{
          title: t.reportSchedules.empty,
          detail: t.reportSchedules.emptyDetail,
          action: add,
        }}
      >
        {(rows) => (
          <Table label={t.reportSchedules.title} columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </ListCard>
      {isAdding && <ScheduleDialog workspace={workspace_id} onClose={() => setAdding(false)} />}
    </>
  );
}
