import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type IntelClient, pickedClientQuery, removeClient, updateClient } from "../../api/workspaces.ts";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { t } from "../../texts/texts.ts";
import { settingsOf, valuesOf } from "./client-values.ts";

const ClientForm = lazy(async () => ({ default: (await import("./client-form.tsx")).ClientForm }));
const MailReport = lazy(async () => ({ default: (await import("./mail-report.tsx")).MailReport }));
const NewReport = lazy(async () => ({
  default: (await import("../intel-reports/new-report.tsx")).NewReport,
}));

/** Actions on a client, of a user who may change it. */
export function ClientActions({ client }: { readonly client: IntelClient }) {
  const { id, name, workspace_id, counts } = client;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"mail" | "report" | "change" | "archive" | "remove">();
  const close = () => setOpen(undefined);
  const isArchived = client.status === "archived";
  const reload = () => queryClient.invalidateQueries({ queryKey: ["intel"] });

  /** @param job removes the domains of the client */
  async function left(job: string | undefined): Promise<void> {
    notifications.show({ message: t.clients.removed(name), role: "status" });
    if (job !== undefined) await navigate({ to: "/jobs/$jobId", params: { jobId: job } });
    else await navigate({ to: "/intel/clients", search: { workspace_id } });
    queryClient.removeQueries({ queryKey: pickedClientQuery(id).queryKey });
    await reload();
  }

  async function archived(): Promise<void> {
    notifications.show({
      message: isArchived ? t.clients.restored(name) : t.clients.archivedNow(name),
      role: "status",
    });
    close();
    await reload();
  }

  return (
    <>
      <Button variant="default" onClick={() => setOpen("report")}>
        {t.intelReports.create}
      </Button>
      <Button onClick={() => setOpen("mail")}>{t.mailReport.title}</Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.clients.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen("change")}>{t.clients.change}</Menu.Item>
          <Menu.Item onClick={() => setOpen("archive")}>
            {isArchived ? t.clients.restore : t.clients.archive}
          </Menu.Item>
          <Menu.Item onClick={() => setOpen("remove")}>{t.clients.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {open === "mail" && <MailReport client={client} onClose={close} />}
        {open === "report" && (
          <NewReport filter={{ workspace_id, scope_type: "client", scope_id: id }} onClose={close} />
        )}
        {open === "change" && <ClientForm client={client} onClose={close} />}
      </Suspense>
      {open === "archive" && (
        <RemoveUsed
          title={isArchived ? t.clients.restoreTitle(name) : t.clients.archiveTitle(name)}
          detail={isArchived ? t.clients.restoreDetail : t.clients.archiveDetail}
          words={
            isArchived
              ? { action: t.clients.restore, anyway: t.clients.restore }
              : { action: t.clients.archive, anyway: t.clients.archiveAnyway }
          }
          remove={(isForced) =>
            updateClient(client, { settings: settingsOf(valuesOf(client)), archived: !isArchived, isForced })
          }
          onRemoved={archived}
          onClose={close}
        />
      )}
      {open === "remove" && (
        <RemoveUsed
          title={t.clients.removeTitle(name)}
          detail={t.clients.removeDetail(counts.domains)}
          remove={(isForced) => removeClient(client, isForced)}
          onRemoved={left}
          onClose={close}
        />
      )}
    </>
  );
}
