import { Checkbox, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addWatch, beginImport, previewImport } from "../../api/watches.ts";
import { pickedClientQuery } from "../../api/workspaces.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { ClientPick } from "../intel-scope/client-pick.tsx";

interface Offer {
  readonly name: string;
  readonly name_unicode: string;
}

interface WatchOffersProps {
  readonly offers: readonly Offer[];
  readonly workspace: string | undefined;
  /** Client that the list shows. */
  readonly client: string | undefined;
  readonly onClose: () => void;
}

/** A cell of a CSV file. The name of a client stays as it is, also one that a spreadsheet would read as a formula. */
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Watches the chosen sending domains for a client: one at once, several by the job of an import. */
export function WatchOffers({ offers, workspace, client, onClose }: WatchOffersProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [clientId, setClientId] = useState(client);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const chosen = offers.map(({ name }) => name).filter((name) => !skipped.has(name));
  const watch = useMutation({
    mutationFn: async (client_id: string) => {
      const [only, ...others] = chosen;
      if (only !== undefined && others.length === 0) return watchOne(client_id, only);
      const { name } = await queryClient.ensureQueryData(pickedClientQuery(client_id));
      const rows = chosen.map((domain) => `${quoted(name)},${quoted(domain)}`);
      const file = { csv: ["client,domain", ...rows].join("\r\n"), workspace_id: workspace };
      const { confirmation } = await previewImport(file);
      const job = await beginImport(file, confirmation);
      void queryClient.invalidateQueries({ queryKey: ["jobs"] });
      await navigate({ to: "/intel/import", search: { job } });
    },
  });

  async function watchOne(client_id: string, name: string): Promise<void> {
    const { id, name_unicode } = await addWatch({ client_id, name, role: "sending" });
    notifications.show({ message: t.watches.added(name_unicode), role: "status" });
    void queryClient.invalidateQueries({ queryKey: ["intel"] });
    await navigate({ to: "/intel/domains/$domainId", params: { domainId: id } });
  }

  function toggle(name: string): void {
    const next = new Set(skipped);
    if (!next.delete(name)) next.add(name);
    setSkipped(next);
  }

  const isAll = chosen.length === offers.length;
  return (
    <FormDialog
      title={t.watches.offers}
      detail={t.watches.offersDetail}
      action={t.watches.watchChosen(chosen.length)}
      isPending={watch.isPending}
      error={watch.error}
      onSubmit={() => clientId !== undefined && chosen.length > 0 && watch.mutate(clientId)}
      onClose={onClose}
    >
      <ClientPick label={t.intelScope.client} workspace={workspace} value={clientId} onPick={setClientId} />
      <fieldset className="whole-form" aria-label={t.watches.offers}>
        <Stack gap="xs">
          {offers.length > 1 && (
            <Checkbox
              label={t.watches.allOffers}
              checked={isAll}
              indeterminate={!isAll && chosen.length > 0}
              onChange={() => setSkipped(new Set(isAll ? offers.map(({ name }) => name) : []))}
            />
          )}
          {offers.map(({ name, name_unicode }) => (
            <Checkbox
              key={name}
              label={name_unicode}
              checked={!skipped.has(name)}
              onChange={() => toggle(name)}
            />
          ))}
        </Stack>
      </fieldset>
    </FormDialog>
  );
}
