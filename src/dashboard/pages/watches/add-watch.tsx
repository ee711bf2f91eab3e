import { Select, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addWatch, type NewWatch, watchQuery } from "../../api/watches.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { faultAt } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";

interface AddWatchProps {
  readonly workspace: string | undefined;
  /** Client that the list shows. */
  readonly client: string | undefined;
  readonly onClose: () => void;
}

/** Watches a domain of a client, then opens its page, which shows the first check. */
export function AddWatch({ workspace, client, onClose }: AddWatchProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [clientId, setClientId] = useState(client);
  const [name, setName] = useState("");
  const [role, setRole] = useState("sending");
  const add = useMutation({
    mutationFn: (body: NewWatch) => addWatch(body),
    onSuccess: async (added) => {
      queryClient.setQueryData(watchQuery(added.id).queryKey, added);
      notifications.show({ message: t.watches.added(added.name_unicode), role: "status" });
      void queryClient.invalidateQueries({ queryKey: ["intel", "watches", "list"] });
      await navigate({ to: "/intel/domains/$domainId", params: { domainId: added.id } });
    },
  });
  return (
    <FormDialog
      title={t.watches.add}
      detail={t.watches.addDetail}
      action={t.watches.addAction}
      isPending={add.isPending}
      error={add.error}
      onSubmit={() =>
        add.mutate({
          client_id: clientId ?? "",
          name: name.trim(),
          role: role as NonNullable<NewWatch["role"]>,
        })
      }
      onClose={onClose}
    >
      <TextInput
        label={t.watches.name}
        description={t.watches.nameDetail}
        placeholder="example.com"
        required
        data-autofocus
        autoComplete="off"
        error={faultAt(add.error, "/name")}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <ClientPick
        label={t.intelScope.client}
        workspace={workspace}
        value={clientId}
        fault={faultAt(add.error, "/client_id")}
        onPick={setClientId}
      />
      <Select
        label={t.watches.role}
        data={Object.entries(t.watches.roles).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        value={role}
        onChange={(value) => value && setRole(value)}
      />
    </FormDialog>
  );
}
