import { Modal, Select, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { domainQuery, rotateDomain } from "../../api/domains.ts";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { useSubmit } from "../../parts/use-submit.ts";
import { t } from "../../texts/texts.ts";

/** Creates the next DKIM keys of a domain, and leaves time to publish their records. */
export function RotateKeys({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const [hours, setHours] = useState("48");
  const rotate = useMutation({
    mutationFn: () => rotateDomain(name, Number(hours)),
    onSuccess: (found) => {
      queryClient.setQueryData(domainQuery(name).queryKey, found);
      onClose();
    },
  });

  const submitOnce = useSubmit(rotate);

  function submit(event: FormEvent) {
    event.preventDefault();
    submitOnce();
  }

  return (
    <Modal opened onClose={onClose} title={t.domains.rotate}>
      <form onSubmit={submit}>
        <Stack>
          <p>{t.domains.rotateDetail}</p>
          <Select
            label={t.domains.rotateAfter}
            data={Object.entries(t.domains.rotateDelays)
              .map(([value, label]) => ({ value, label }))
              .toSorted((a, b) => Number(a.value) - Number(b.value))}
            value={hours}
            allowDeselect={false}
            onChange={(value) => value && setHours(value)}
          />
          <FormFault error={rotate.error} />
          <FormButtons action={t.domains.rotate} isPending={rotate.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
