import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Message, MessageEvent } from "../../api/messages.ts";
import { removeSuppression, type Suppression, suppressionOfQuery } from "../../api/suppressions.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { timeText } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

interface RecipientSuppressionProps {
  readonly message: Message;
  readonly timeline: readonly MessageEvent[];
}

const concerned = new Set(["suppressed", "bounced", "complained"]);

/** The entry of the suppression list that stopped a message or resulted from it, with its reason and a way to remove it. */
export function RecipientSuppression({ message, timeline }: RecipientSuppressionProps) {
  const may = useMay();
  if (!concerned.has(message.state) || !may("suppressions.read")) return null;
  const stoppedBy = timeline.findLast(({ suppression_id }) => suppression_id !== "")?.suppression_id ?? "";
  return <Entry id={stoppedBy} address={message.recipient} wasStopped={message.state === "suppressed"} />;
}

interface EntryProps {
  /** Empty if the entry is found by the address. */
  readonly id: string;
  readonly address: string;
  readonly wasStopped: boolean;
}

function Entry({ id, address, wasStopped }: EntryProps) {
  const query = useQuery(suppressionOfQuery(id, address));
  return (
    <StateView
      query={query}
      empty={{
        when: (entry) => entry === null,
        view: wasStopped && <p className="muted tight">{t.message.suppression.gone}</p>,
      }}
    >
      {(entry) => entry && <Found entry={entry} />}
    </StateView>
  );
}

function Found({ entry }: { readonly entry: Suppression }) {
  const may = useMay();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeSuppression(entry.id),
    onSuccess: async ({ notice }) => {
      setAsked(false);
      notifications.show({ message: notice, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["suppressions"] });
    },
  });
  const reason = t.suppressions.reasons[entry.reason] ?? entry.reason;
  const words = t.message.suppression;
  return (
    <section className="card" aria-label={words.title}>
      <div className="body spread">
        <div>
          <b>{words.title}</b>
          <div className="muted">
            {words.entry(reason, timeText(entry.created_at, new Date(), true))} {entry.detail}
          </div>
          <div className="faint">{entry.address}</div>
        </div>
        {may("suppressions.write") && (
          <Button variant="default" onClick={() => setAsked(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      {isAsked && (
        <Confirm
          title={words.removeTitle(entry.address)}
          detail={words.removeDetail([reason, entry.detail].filter(Boolean).join(", "))}
          action={words.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(false)}
        />
      )}
    </section>
  );
}
