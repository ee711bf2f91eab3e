import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { muteCheck, type Watch, type WatchCheck, watchQuery } from "../../api/watches.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { checkTitle } from "../intel-scope/check-title.ts";
import { MuteFields, muteOf, newMute } from "./mute-fields.tsx";

interface MuteProps {
  readonly watch: Watch;
  readonly check: WatchCheck;
}

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
  const [draft, setDraft] = useState(newMute);
  const mute = useMutation({
    mutationFn: (wanted: NonNullable<ReturnType<typeof muteOf>>) =>
      muteCheck({ domain_id: watch.id, check_id: check.id }, { ...wanted, if_revision: watch.revision }),
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
    const wanted = muteOf(draft);
    if (wanted) mute.mutate(wanted);
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
      <MuteFields draft={draft} error={mute.error} onChange={setDraft} />
    </FormDialog>
  );
}
