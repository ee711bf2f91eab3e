import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { createReportLink, reportLinksQuery } from "../../api/reports.ts";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault, faultAt } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

const DAYS = [7, 14, 30, 90];

interface ShareReportProps {
  readonly reportId: string;
  readonly onClose: () => void;
}

/** Creates a link that opens a report without a session. The link exists only in the state of the dialog. */
export function ShareReport({ reportId, onClose }: ShareReportProps) {
  const queryClient = useQueryClient();
  const [days, setDays] = useState("30");
  const [note, setNote] = useState("");
  const [link, setLink] = useState<string>();
  const create = useMutation({
    mutationFn: async () => {
      // The response has the secret of the link: it must not enter the cache of mutations.
      setLink(await createReportLink(reportId, Number(days), note.trim()));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: reportLinksQuery(reportId).queryKey }),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate();
  }

  if (link !== undefined)
    return (
      <Dialog onClose={onClose} title={t.intelReports.share} size="lg">
        <Stack>
          <CopyField label={t.intelReports.link} value={link} />
          <p className="muted tight">{t.intelReports.linkOnce}</p>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t.secret.done}</Button>
          </Group>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog onClose={onClose} title={t.intelReports.share} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <p className="muted tight">{t.intelReports.shareDetail}</p>
          <Select
            label={t.intelReports.validFor}
            data={DAYS.map((value) => ({ value: String(value), label: t.intelReports.days(value) }))}
            value={days}
            allowDeselect={false}
            onChange={(value) => value && setDays(value)}
          />
          <TextInput
            label={t.intelReports.note}
            description={t.intelReports.noteDetail}
            maxLength={200}
            autoComplete="off"
            error={faultAt(create.error, "/note")}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
          <FormFault error={create.error} />
          <FormButtons action={t.intelReports.createLink} isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
