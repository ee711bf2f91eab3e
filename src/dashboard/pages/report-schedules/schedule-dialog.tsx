import { Autocomplete, SegmentedControl, TagsInput, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { rowsOf } from "../../api/pages.ts";
import { createSchedule, type Schedule, updateSchedule } from "../../api/schedules.ts";
import { sendersBy } from "../../api/senders.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { faultAt } from "../../parts/form-fault.tsx";
import { zone } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { scopeTypes } from "../intel-reports/report-values.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";
import { DomainPick } from "../intel-scope/domain-pick.tsx";
import { ScheduleTimes } from "./schedule-times.tsx";
import { blankSchedule, type ScheduleValues, scheduleBody, valuesOf } from "./schedule-values.ts";

interface ScheduleDialogProps {
  /** Id of the workspace; undefined: the first one. */
  readonly workspace: string | undefined;
  /** Schedule to change; missing: a new one. */
  readonly schedule?: Schedule;
  readonly onClose: () => void;
}

/** Creates a schedule, or changes one. */
export function ScheduleDialog({ workspace, schedule, onClose }: ScheduleDialogProps) {
  const queryClient = useQueryClient();
  const may = useMay();
  // It completes the list of senders.
  const senders = useInfiniteQuery({
    ...sendersBy({ state: "verified" }),
    enabled: may("senders.read"),
  });
  const [values, setValues] = useState(() => (schedule ? valuesOf(schedule) : blankSchedule(zone)));
  const change = (changes: Partial<ScheduleValues>) => setValues({ ...values, ...changes });
  const save = useMutation({
    mutationFn: (given: ScheduleValues) =>
      schedule
        ? updateSchedule(schedule, scheduleBody(given, schedule), schedule.paused)
        : createSchedule(workspace, scheduleBody(given)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["intel", "schedules"] });
      onClose();
    },
  });
  const fault = (name: string) => faultAt(save.error, `/${name}`);
  const pick = {
    workspace,
    value: values.id,
    fault: fault("scope/id"),
    onPick: (id: string | undefined) => change({ id }),
  };
  const addresses = rowsOf(senders.data).map(({ value }) => value);
  return (
    <FormDialog
      title={schedule ? t.reportSchedules.change : t.reportSchedules.create}
      size="lg"
      detail={t.reportSchedules.createDetail}
      action={schedule ? t.labels.save : t.intelReports.createAction}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(values)}
      onClose={onClose}
    >
      <TextInput
        label={t.reportSchedules.name}
        description={t.reportSchedules.nameDetail}
        maxLength={100}
        required
        data-autofocus
        autoComplete="off"
        error={fault("name")}
        value={values.name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <SegmentedControl
        aria-label={t.intelReports.about}
        data={scopeTypes.map((value) => ({ value, label: t.intelReports.scopes[value] ?? value }))}
        value={values.type}
        onChange={(type) => change({ type: type as ScheduleValues["type"], id: undefined })}
      />
      {values.type === "client" && <ClientPick label={t.intelScope.client} {...pick} />}
      {values.type === "domain" && <DomainPick label={t.intelScope.domain} {...pick} />}
      <ScheduleTimes values={values} faultOf={fault} onChange={change} />
      <TagsInput
        label={t.reportSchedules.recipients}
        description={t.reportSchedules.recipientsDetail}
        placeholder={t.reportSchedules.recipientsHint}
        maxTags={20}
        error={fault("recipients") ?? fault("recipients/0")}
        value={values.recipients}
        onChange={(recipients) => change({ recipients })}
      />
      <Autocomplete
        label={t.reportSchedules.from}
        description={t.reportSchedules.fromDetail}
        required
        data={addresses.filter((value) => !value.startsWith("@"))}
        error={fault("from")}
        value={values.from}
        onChange={(from) => change({ from })}
      />
    </FormDialog>
  );
}
