import { Button, FileInput, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { uploadReports } from "../../api/aggregate-reports.ts";
import { ApiText } from "../../parts/api-text.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { base64Of } from "../labels/label-values.ts";

interface UploadReportsProps {
  readonly domainId: string;
  readonly onClose: () => void;
}

const tones: Readonly<Record<string, Tone>> = { counted: "ok", repeated: "idle", refused: "bad" };

/** Uploads a file with aggregate reports, and shows the result of each report. */
export function UploadReports({ domainId, onClose }: UploadReportsProps) {
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: async (chosen: File) => uploadReports(domainId, await base64Of(chosen)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["intel"] }),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (file) upload.mutate(file);
  }

  return (
    <Dialog onClose={onClose} title={t.watches.upload} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <p className="muted tight">{t.watches.uploadDetail}</p>
          <FileInput
            label={t.watches.reportFile}
            placeholder={t.watchImport.chooseFile}
            required
            value={file}
            onChange={(chosen) => {
              setFile(chosen);
              upload.reset();
            }}
          />
          {upload.data && (
            <div role="status">
              <ul className="plain">
                {upload.data.reports.map(({ outcome, org_name: org, report_id: id, count, reason }) => (
                  <li key={`${org} ${id}`}>
                    <StateBadge tone={tones[outcome] ?? "idle"}>
                      {t.watches.reportOutcomes[outcome] ?? outcome}
                    </StateBadge>{" "}
                    {org} <span className="muted">{t.watches.ofReport(count)}</span>{" "}
                    {reason && <ApiText>{reason}</ApiText>}
                  </li>
                ))}
              </ul>
            </div>
          )}
          <FormFault error={upload.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.common.close}
            </Button>
            <Button type="submit" loading={upload.isPending} disabled={file === null || upload.isSuccess}>
              {t.watches.uploadAction}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
