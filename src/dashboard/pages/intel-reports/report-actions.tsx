import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Report, type ReportFormat, removeReport, reportQuery, saveReport } from "../../api/reports.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ShareReport } from "./share-report.tsx";

/** Actions on a finished report. */
export function ReportActions({ report: { id, scope } }: { readonly report: Report }) {
  const may = useMay();
  const [open, setOpen] = useState<"share" | "remove">();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (format: ReportFormat) => saveReport(id, format),
    onError: notifyProblem,
  });
  const remove = useMutation({
    mutationFn: () => removeReport(id),
    onSuccess: async () => {
      await navigate({ to: "/intel/reports" });
      queryClient.removeQueries({ queryKey: reportQuery(id).queryKey });
      await queryClient.invalidateQueries({ queryKey: ["intel", "reports"] });
    },
  });
  const mayWrite = may("intel.write");
  const close = () => setOpen(undefined);
  return (
    <>
      <Button variant="default" loading={save.isPending} onClick={() => save.mutate("pdf")}>
        {t.intelReports.savePdf}
      </Button>
      {mayWrite && <Button onClick={() => setOpen("share")}>{t.intelReports.share}</Button>}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.intelReports.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => save.mutate("html")}>{t.intelReports.saveHtml}</Menu.Item>
          <Menu.Item onClick={() => save.mutate("json")}>{t.intelReports.saveJson}</Menu.Item>
          {mayWrite && <Menu.Item onClick={() => setOpen("remove")}>{t.intelReports.remove}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {open === "share" && <ShareReport reportId={id} onClose={close} />}
      {open === "remove" && (
        <Confirm
          title={t.intelReports.removeTitle(scope.name ?? id)}
          detail={t.intelReports.removeDetail}
          action={t.intelReports.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}
