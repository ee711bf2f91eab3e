import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteLabel, type Label, labelQuery } from "../../api/labels.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Removes a label after a question. */
export function RemoveLabel({ label: { id, revision } }: { readonly label: Label }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteLabel(id, revision),
    onSuccess: async () => {
      setAsking(false);
      queryClient.setQueryData(labelQuery(id).queryKey, null);
      await queryClient.invalidateQueries({ queryKey: ["intel", "labels"] });
    },
  });
  return (
    <div>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t.labels.remove}
      </Button>
      {isAsking && (
        <Confirm
          title={t.labels.remove}
          detail={t.labels.removeDetail}
          action={t.labels.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
