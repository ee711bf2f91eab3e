import { Autocomplete, Checkbox, SegmentedControl, TagsInput } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { rowsOf } from "../../api/pages.ts";
import { mailReport, type NewSchedule } from "../../api/schedules.ts";
import { sendersBy } from "../../api/senders.ts";
import type { IntelClient } from "../../api/workspaces.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { faultAt } from "../../parts/form-fault.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { MailedReport } from "./mailed-report.tsx";

interface MailReportProps {
  readonly client: IntelClient;
  readonly onClose: () => void;
}

type Cadence = NewSchedule["cadence"];

/** Creates a report about a client and mails it now, by a schedule that is paused unless the mail repeats. */
export function MailReport({ client, onClose }: MailReportProps) {
  const queryClient = useQueryClient();
  const may = useMay();
  const senders = useInfiniteQuery({
    ...sendersBy({ state: "verified" }),
    enabled: may("senders.read"),
  });
  const addresses = rowsOf(senders.data).flatMap(({ value }) => (value.startsWith("@") ? [] : [value]));
  const [recipients, setRecipients] = useState<readonly string[]>(client.contact_emails);
  const [typedFrom, setFrom] = useState<string>();
  const [cadence, setCadence] = useState<Cadence>("weekly");
  const [isRepeated, setRepeated] = useState(false);
  const from = typedFrom ?? addresses[0] ?? "";
  const mail = useMutation({
    mutationFn: (body: NewSchedule) => mailReport(client.workspace_id, body),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["intel", "schedules"] }),
  });
  if (mail.data) return <MailedReport schedule={mail.data} onClose={onClose} />;
  return (
    <FormDialog
      title={t.mailReport.title}
      size="lg"
      detail={t.mailReport.detail}
      action={t.mailReport.action}
      isPending={mail.isPending}
      error={mail.error}
      onSubmit={() =>
        mail.mutate({
          name: t.mailReport.nameOf(client.name).slice(0, 100),
          scope: { type: "client", id: client.id },
          cadence,
          timezone: client.timezone,
          recipients: [...recipients],
          from: from.trim(),
          paused: !isRepeated,
        })
      }
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t.intelReports.period}
        data={Object.entries(t.mailReport.periods).map(([value, label]) => ({ value, label }))}
        value={cadence}
        onChange={(picked) => setCadence(picked as Cadence)}
      />
      <TagsInput
        label={t.reportSchedules.recipients}
        description={t.mailReport.recipientsDetail}
        placeholder={recipients.length === 0 ? t.reportSchedules.recipientsHint : ""}
        required
        maxTags={20}
        error={faultAt(mail.error, "/recipients") ?? faultAt(mail.error, "/recipients/0")}
        value={[...recipients]}
        onChange={setRecipients}
      />
      <Autocomplete
        label={t.reportSchedules.from}
        description={t.reportSchedules.fromDetail}
        required
        data={addresses}
        error={faultAt(mail.error, "/from")}
        value={from}
        onChange={setFrom}
      />
      <Checkbox
        label={t.mailReport.repeats[cadence]}
        description={t.mailReport.repeatDetail}
        checked={isRepeated}
        onChange={({ currentTarget: { checked } }) => setRepeated(checked)}
      />
      {mail.isPending && (
        <p role="status" className="muted tight">
          {t.mailReport.waiting}
        </p>
      )}
    </FormDialog>
  );
}
