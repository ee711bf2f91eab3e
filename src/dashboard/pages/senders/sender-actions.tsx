import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { removeSender, type Sender, verifySender } from "../../api/senders.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Sends a new link to a sender that waits for verification, and removes senders. */
export function SenderActions({ sender: { value, verified_at } }: { readonly sender: Sender }) {
  const queryClient = useQueryClient();
  const may = useMay();
  const [isAsked, setAsked] = useState(false);
  const reload = () => queryClient.invalidateQueries({ queryKey: ["senders"] });
  const resend = useMutation({
    mutationFn: () => verifySender(value),
    onSuccess: () => {
      notifications.show({ message: t.senders.resent(value), role: "status" });
      return reload();
    },
    onError: notifyProblem,
  });
  if (!may("senders.write")) return null;
  return (
    <span className="row end">
      {!verified_at && (
        <Button
          variant="default"
          size="xs"
          loading={resend.isPending}
          aria-label={`${t.senders.resend}: ${value}`}
          onClick={() => resend.mutate()}
        >
          {t.senders.resend}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={t.senders.removeTitle(value)}
        onClick={() => setAsked(true)}
      >
        {t.senders.remove}
      </Button>
      {isAsked && (
        <RemoveUsed
          title={t.senders.removeTitle(value)}
          detail={t.senders.removeDetail}
          remove={(isForced) => removeSender(value, isForced)}
          onRemoved={async () => {
            setAsked(false);
            await reload();
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </span>
  );
}
