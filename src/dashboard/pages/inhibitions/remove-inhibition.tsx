import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteInhibition, type Inhibition, inhibitionsQuery } from "../../api/silences.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Deletes an inhibition after a question. */
export function RemoveInhibition({ inhibition }: { readonly inhibition: Inhibition }) {
  const { name, revision } = inhibition;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const reload = () => queryClient.invalidateQueries({ queryKey: inhibitionsQuery.queryKey });
  const remove = useMutation({
    mutationFn: () => deleteInhibition(name, revision),
    onSuccess: async () => {
      await navigate({ to: "/inhibitions", ignoreBlocker: true });
      await reload();
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void reload(),
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t.rules.remove}
      </Button>
      {isAsking && (
        <Confirm
          title={t.inhibitions.removeTitle(name)}
          detail={t.inhibitions.removeDetail}
          action={t.rules.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
