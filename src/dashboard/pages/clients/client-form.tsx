import { TagsInput, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { createClient, type IntelClient, updateClient } from "../../api/workspaces.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { zone } from "../../parts/time.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ZoneField } from "../alert-rules/zone-field.tsx";
import { blankClient, type ClientValues, settingsOf, valuesOf } from "./client-values.ts";

interface ClientFormProps {
  /** Id of the workspace of a new client; undefined: the first one. */
  readonly workspace?: string | undefined;
  /** Client to change; missing: a new one. */
  readonly client?: IntelClient;
  readonly onClose: () => void;
}

/** Creates a client and opens its page, or changes one. */
export function ClientForm({ workspace, client, onClose }: ClientFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [values, setValues] = useState(() => (client ? valuesOf(client) : blankClient(zone)));
  const change = (changes: Partial<ClientValues>) => setValues({ ...values, ...changes });
  const reload = () => queryClient.invalidateQueries({ queryKey: ["intel"] });
  const save = useMutation({
    mutationFn: (given: ClientValues) =>
      client
        ? updateClient(client, { settings: settingsOf(given), archived: client.status === "archived" })
        : createClient(workspace, settingsOf(given)),
    onSuccess: async ({ id, name }) => {
      notifications.show({
        message: client ? t.clients.saved(name) : t.clients.created(name),
        role: "status",
      });
      onClose();
      if (!client) await navigate({ to: "/intel/clients/$clientId", params: { clientId: id } });
      await reload();
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void reload(),
  });
  const faults = save.error ? fieldFaults(save.error) : {};
  const text = (name: "name" | "external_ref" | "locale") => ({
    label: t.clients.fields[name],
    autoComplete: "off",
    error: faults[name],
    value: values[name],
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      change({ [name]: value }),
  });
  return (
    <FormDialog
      title={client ? t.clients.change : t.clients.create}
      size="lg"
      {...(!client && { detail: t.clients.createDetail })}
      action={client ? t.clients.save : t.clients.createAction}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate(values)}
      onClose={onClose}
    >
      <TextInput {...text("name")} required data-autofocus maxLength={200} />
      <TagsInput
        label={t.clients.fields.contact_emails}
        description={t.clients.contactsDetail}
        placeholder={t.reportSchedules.recipientsHint}
        maxTags={20}
        error={faults.contact_emails}
        value={[...values.contact_emails]}
        onChange={(contact_emails) => change({ contact_emails })}
      />
      <TextInput {...text("external_ref")} description={t.clients.refDetail} maxLength={200} />
      <TagsInput
        label={t.clients.fields.tags}
        maxTags={20}
        error={faults.tags}
        value={[...values.tags]}
        onChange={(tags) => change({ tags })}
      />
      <div className="pair">
        <TextInput {...text("locale")} description={t.clients.localeDetail} maxLength={35} />
        <ZoneField
          label={t.clients.fields.timezone}
          description={t.clients.zoneDetail}
          error={faults.timezone}
          value={values.timezone}
          onChange={(picked) => change({ timezone: picked ?? "UTC" })}
        />
      </div>
      <Textarea
        label={t.clients.fields.notes}
        description={t.clients.notesDetail}
        maxLength={5_000}
        autosize
        minRows={2}
        maxRows={8}
        error={faults.notes}
        value={values.notes}
        onChange={({ currentTarget: { value } }) => change({ notes: value })}
      />
    </FormDialog>
  );
}
