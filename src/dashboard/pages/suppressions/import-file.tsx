import { Button, FileInput, Group, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { importSuppressions } from "../../api/suppressions.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

const SHOWN_ROWS = 5;

/** Imports addresses from a CSV file. First, the page shows the expected result of each row. */
export function ImportFile({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const preview = useMutation({
    mutationFn: async (chosen: File) => importSuppressions(await chosen.text(), true),
  });
  const write = useMutation({
    mutationFn: async (chosen: File) => importSuppressions(await chosen.text(), false),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["suppressions"] }),
  });
  const report = write.data ?? preview.data;
  const refused = report?.rows.filter(({ outcome }) => outcome === "refused") ?? [];
  const rows = report ? report.counts.added + report.counts.strengthened : 0;

  return (
    <Dialog onClose={onClose} title={t.suppressions.import}>
      <Stack>
        <p className="muted tight">{t.suppressions.importDetail}</p>
        <FileInput
          label={t.suppressions.file}
          placeholder={t.suppressions.chooseFile}
          accept=".csv,text/csv,text/plain"
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            write.reset();
            if (chosen) preview.mutate(chosen);
            else preview.reset();
          }}
        />
        <FormFault error={preview.error ?? write.error} />
        {report && (
          <dl className="facts">
            {Object.entries(report.counts).map(([outcome, count]) => (
              <div key={outcome} className="contents">
                <dt>{t.suppressions.outcomes[outcome] ?? outcome}</dt>
                <dd className="num">{numberText(count)}</dd>
              </div>
            ))}
          </dl>
        )}
        {refused.slice(0, SHOWN_ROWS).map(({ row, address, message }) => (
          <p key={row} className="muted tight">
            {t.suppressions.refusedRow(row, address, message)}
          </p>
        ))}
        {refused.length > SHOWN_ROWS && (
          <p className="muted tight">{t.suppressions.moreRefused(refused.length - SHOWN_ROWS)}</p>
        )}
        {write.isSuccess && <p role="status">{t.suppressions.imported}</p>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {write.isSuccess ? t.common.close : t.common.cancel}
          </Button>
          {!write.isSuccess && (
            <Button
              disabled={!file || rows === 0}
              loading={write.isPending || preview.isPending}
              onClick={() => file && write.mutate(file)}
            >
              {t.suppressions.importNow(rows)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
