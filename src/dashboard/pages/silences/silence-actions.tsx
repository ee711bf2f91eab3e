import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { endSilence, type Silence, silenceQuery } from "../../api/silences.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Ends a silence after a question, or begins another one like it. */
export function SilenceActions({ silence: { id, state } }: { readonly silence: Silence }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => endSilence(id),
    onSuccess: async (ended) => {
      queryClient.setQueryData(silenceQuery(id).queryKey, ended);
      notifications.show({ message: t.silences.ended, role: "status" });
      setAsking(false);
      await queryClient.invalidateQueries({ queryKey: ["silences"] });
      await queryClient.invalidateQueries({ queryKey: ["incidents"] });
    },
  });
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/silences/-/new" search={{ from: id }} {...props} />}
      >
        {t.silences.again}
      </Button>
      {state !== "expired" && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t.silences.endNow}
        </Button>
      )}
      {isAsking && (
        <Confirm
          title={t.silences.endTitle}
          detail={t.silences.endDetailNow}
          action={t.silences.endNow}
          isPending={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
