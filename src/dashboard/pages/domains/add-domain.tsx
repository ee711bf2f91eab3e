import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addDomain } from "../../api/domains.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Adds a domain and opens its records. */
export function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const add = useMutation({
    mutationFn: addDomain,
    onSuccess: async (added) => {
      await queryClient.invalidateQueries({ queryKey: ["domains"] });
      await navigate({ to: "/domains/$domain", params: { domain: added.name } });
    },
  });

  return (
    <FormDialog
      title={t.domains.add}
      action={t.domains.add}
      isPending={add.isPending}
      error={add.error}
      onSubmit={() => add.mutate(name.trim())}
      onClose={onClose}
    >
      <TextInput
        label={t.domains.name}
        description={t.domains.nameDetail}
        placeholder="example.com"
        required
        data-autofocus
        error={add.error && fieldFaults(add.error).domain}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
