import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { deleteSchedule, runSchedule, type Schedule, updateSchedule } from "../../api/schedules.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { scheduleBody, valuesOf } from "./schedule-values.ts";

/** Interval in which the list is read while a report is created. */
const POLL_MS = 2_000;
/** A run begins within seconds. */
const BEGIN_MS = 30_000;

/** Actions on a schedule. */
export function ScheduleActions({ schedule }: { readonly schedule: Schedule }) {
  const { id, name, paused, under_way: work, last_run: last } = schedule;
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<"change" | "run" | "remove">();
  const close = () => setOpen(undefined);
  const reload = () => queryClient.invalidateQueries({ queryKey: ["intel", "schedules"] });
  const done = () => {
    close();
    return reload();
  };
  const run = useMutation({ mutationFn: () => runSchedule(id), onSuccess: done });
  const remove = useMutation({ mutationFn: () => deleteSchedule(schedule), onSuccess: done });
  const pause = useMutation({
    mutationFn: () => updateSchedule(schedule, scheduleBody(valuesOf(schedule), schedule), !paused),
    onError: (error) => {
      notifyProblem(error);
      void reload();
    },
    onSuccess: reload,
  });
  const { submittedAt } = run;
  const isWaiting = run.isSuccess && (last === null || Date.parse(last.at) < submittedAt);
  useEffect(() => {
    if (!work && !isWaiting) return;
    const timer = setInterval(() => {
      if (work || Date.now() - submittedAt < BEGIN_MS)
        void queryClient.invalidateQueries({ queryKey: ["intel", "schedules"] });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [work, isWaiting, submittedAt, queryClient]);
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" size="xs" aria-label={t.reportSchedules.actionsOf(name)}>
            {t.intelReports.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen("run")}>{t.reportSchedules.run}</Menu.Item>
          <Menu.Item onClick={() => setOpen("change")}>{t.reportSchedules.change}</Menu.Item>
          <Menu.Item onClick={() => pause.mutate()}>
            {paused ? t.reportSchedules.resume : t.reportSchedules.pause}
          </Menu.Item>
          <Menu.Item onClick={() => setOpen("remove")}>{t.reportSchedules.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === "change" && (
        <ScheduleDialog workspace={schedule.workspace_id} schedule={schedule} onClose={close} />
      )}
      {open === "run" && (
        <Confirm
          title={t.reportSchedules.runTitle(name)}
          detail={t.reportSchedules.runDetail}
          action={t.reportSchedules.run}
          color="accent"
          isPending={run.isPending}
          error={run.error}
          onConfirm={() => run.mutate()}
          onClose={close}
        />
      )}
      {open === "remove" && (
        <Confirm
          title={t.reportSchedules.removeTitle(name)}
          detail={t.reportSchedules.removeDetail}
          action={t.reportSchedules.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}
