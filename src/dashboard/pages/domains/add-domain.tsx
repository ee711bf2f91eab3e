import { Modal, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { addDomain } from "../../api/domains.ts";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useSubmit } from "../../parts/use-submit.ts";
import { t } from "../../texts/texts.ts";

/** Adds a domain, and leads to its records. */
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

  const submitOnce = useSubmit(add);

  function submit(event: FormEvent) {
    event.preventDefault();
    submitOnce(name.trim());
  }

  return (
    <Modal opened onClose={onClose} title={t.domains.add}>
      <form onSubmit={submit}>
        <Stack>
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
          <FormFault error={add.error} />
          <FormButtons action={t.domains.add} isPending={add.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
