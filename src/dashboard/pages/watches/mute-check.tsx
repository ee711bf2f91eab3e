import { Button, Select, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { muteCheck, type Watch, type WatchCheck, watchQuery } from "../../api/watches.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { faultAt } from "../../parts/form-fault.tsx";
import { MomentField } from "../../parts/moment-field.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";

interface MuteProps {
  readonly watch: Watch;
  readonly check: WatchCheck;
}

const DAY_MS = 86_400_000;
const days = ["7", "30", "90", "365"] as const;
const OTHER = "other";

/** Opens the dialog that mutes a check of a domain. */
export function MuteButton({ watch, check }: MuteProps) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may("intel.write")) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t.watches.muteOne(checkTitle(check.id, check.title))}
        onClick={() => setOpen(true)}
      >
        {t.watches.mute}
      </Button>
      {isOpen && <MuteDialog watch={watch} check={check} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Asks until when a check is muted, and why. */
function MuteDialog({ watch, check, onClose }: MuteProps & { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [span, setSpan] = useState<string>("30");
  const [end, setEnd] = useState<string>();
  const [reason, setReason] = useState("");
  const mute = useMutation({
    mutationFn: (until: string) =>
      muteCheck(
        { domain_id: watch.id, check_id: check.id },
        { until, if_revision: watch.revision, ...(reason.trim() !== "" && { reason: reason.trim() }) },
      ),
    onSuccess: async (found) => {
      queryClient.setQueryData(watchQuery(watch.id).queryKey, found);
      notifications.show({ message: t.watches.wasMuted, role: "status" });
      onClose();
      await queryClient.invalidateQueries({ queryKey: ["intel"] });
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void queryClient.invalidateQueries({ queryKey: watchQuery(watch.id).queryKey }),
  });

  function submit(): void {
    const until = span === OTHER ? end : new Date(Date.now() + Number(span) * DAY_MS).toISOString();
    if (until !== undefined) mute.mutate(until);
  }

  return (
    <FormDialog
      title={t.watches.muteTitle}
      detail={t.watches.muteDetail(checkTitle(check.id, check.title))}
      action={t.watches.mute}
      isPending={mute.isPending}
      error={mute.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={t.watches.muteFor}
        allowDeselect={false}
        data={[
          ...days.map((value) => ({ value, label: t.watches.muteSpans[value] })),
          { value: OTHER, label: t.watches.muteUntil },
        ]}
        value={span}
        onChange={(value) => value && setSpan(value)}
      />
      {span === OTHER && (
        <MomentField
          label={t.watches.muteUntil}
          isRequired
          error={faultAt(mute.error, "/until")}
          value={end}
          onChange={setEnd}
        />
      )}
      <Textarea
        label={t.watches.muteReason}
        description={t.watches.muteReasonDetail}
        maxLength={500}
        autosize
        minRows={2}
        error={faultAt(mute.error, "/reason")}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </FormDialog>
  );
}
