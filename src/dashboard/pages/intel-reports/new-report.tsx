import { MultiSelect, SegmentedControl, Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createReport, type ReportFilter, reportQuery } from "../../api/reports.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { faultAt } from "../../parts/form-fault.tsx";
import { useIdempotencyKeys } from "../../parts/idempotency-keys.ts";
import { zone } from "../../parts/time.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";
import { DomainPick } from "../intel-scope/domain-pick.tsx";
import {
  firstValues,
  type Period,
  periods,
  type ReportValues,
  reportBody,
  type ScopeType,
  scopeTypes,
} from "./report-values.ts";

interface NewReportProps {
  /** The list that the dialog is opened from: a report about the same subject. */
  readonly filter: ReportFilter;
  readonly onClose: () => void;
}

/** Creates a report, then opens its page. */
export function NewReport({ filter, onClose }: NewReportProps) {
  const workspace = filter.workspace_id;
  const [values, setValues] = useState(() => firstValues(filter));
  // A repeated request has the same period.
  const [now] = useState(() => new Date());
  const keys = useIdempotencyKeys();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: (asked: ReportValues) => {
      const body = reportBody(asked, { workspace, now, timezone: zone });
      return createReport(body, workspace, keys.keyFor(body));
    },
    onSuccess: async (report) => {
      keys.renew();
      queryClient.setQueryData(reportQuery(report.id).queryKey, report);
      void queryClient.invalidateQueries({ queryKey: ["intel", "reports"] });
      await navigate({ to: "/intel/reports/$reportId", params: { reportId: report.id } });
    },
  });
  const change = (changes: Partial<ReportValues>) => setValues({ ...values, ...changes });
  const pick = {
    workspace,
    value: values.id,
    fault: faultAt(create.error, "/scope/id"),
    onPick: (id: string | undefined) => change({ id }),
  };

  return (
    <FormDialog
      title={t.intelReports.create}
      size="lg"
      detail={t.intelReports.createDetail}
      action={t.intelReports.createAction}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate(values)}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t.intelReports.about}
        data={scopeTypes.map((value) => ({ value, label: t.intelReports.scopes[value] ?? value }))}
        value={values.type}
        onChange={(type) => change({ type: type as ScopeType, id: undefined })}
      />
      {values.type === "client" && <ClientPick label={t.intelScope.client} {...pick} />}
      {values.type === "domain" && <DomainPick label={t.intelScope.domain} {...pick} />}
      <Select
        label={t.intelReports.period}
        data={periods.map((value) => ({ value, label: t.intelReports.periods[value] }))}
        allowDeselect={false}
        value={values.period}
        onChange={(period) => change({ period: period as Period })}
      />
      <MultiSelect
        label={t.intelReports.sections}
        description={t.intelReports.sectionsDetail}
        data={Object.entries(t.intelReports.sectionNames).map(([value, label]) => ({ value, label }))}
        clearable
        clearButtonProps={{ "aria-label": t.common.clear(t.intelReports.sections) }}
        value={values.sections}
        onChange={(sections) => change({ sections: sections as ReportValues["sections"] })}
      />
    </FormDialog>
  );
}
