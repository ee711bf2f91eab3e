import { useDebouncedValue } from "@mantine/hooks";
import { useEffect } from "react";
import { type LabelSettings, previewLabel } from "../../api/labels.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { MailDocument } from "../../parts/mail-document.tsx";
import { Pending } from "../../parts/state-view.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface LabelPreviewProps {
  readonly labelId: string;
  /** Settings that are not stored. */
  readonly settings: LabelSettings;
}

/** The account can have two previews at once. */
const TYPING_MS = 500;

/** An example report with the values of the form. */
export function LabelPreview({ labelId, settings }: LabelPreviewProps) {
  const [settled] = useDebouncedValue(JSON.stringify(settings), TYPING_MS);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (asked: string) => previewLabel(labelId, JSON.parse(asked) as LabelSettings),
  });
  useEffect(() => mutate(settled), [mutate, settled]);
  return (
    <section className="stack small-gap" aria-label={t.labels.preview}>
      <h2>{t.labels.preview}</h2>
      {data?.colors.adjusted && <p className="muted tight">{t.labels.adjusted}</p>}
      <FormFault error={error} />
      {isPending && !data && <Pending />}
      {data && <MailDocument title={t.labels.preview} html={data.document} hasPolicy />}
    </section>
  );
}
