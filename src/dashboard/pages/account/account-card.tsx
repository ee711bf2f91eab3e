import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Account, renameAccount } from "../../api/accounts.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { Row, RowCard } from "../../parts/row-list.tsx";
import { Time } from "../../parts/time.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { DeleteAccount } from "./delete-account.tsx";
import { ExportAccount } from "./export-account.tsx";

/** The account as a whole: rename, export, delete. */
export function AccountCard({ account }: { readonly account: Account }) {
  const may = useMay();
  const [open, setOpen] = useState<"rename" | "export" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <>
      <RowCard title={t.account.card}>
        <ul className="entries">
          <Row
            title={account.name}
            detail={
              <>
                {t.account.created} <Time at={account.created_at} withDay />.{" "}
                <span className="mono">{account.id}</span>
              </>
            }
          >
            {may("account.write") && (
              <Button variant="default" onClick={() => setOpen("rename")}>
                {t.account.rename}
              </Button>
            )}
          </Row>
          {may("account.export") && (
            <Row title={t.account.exportTitle} detail={t.account.exportDetail}>
              <Button variant="default" aria-label={t.account.exportTitle} onClick={() => setOpen("export")}>
                {t.account.export}
              </Button>
            </Row>
          )}
        </ul>
      </RowCard>
      {may("account.delete") && (
        <section className="card danger" aria-label={t.account.danger}>
          <header>
            <h2>{t.account.danger}</h2>
          </header>
          <ul className="entries">
            <Row title={t.account.delete} detail={t.account.deleteDetail}>
              <Button color="red" variant="filled" onClick={() => setOpen("delete")}>
                {t.account.delete}
              </Button>
            </Row>
          </ul>
        </section>
      )}
      {open === "rename" && <RenameAccount account={account} onClose={close} />}
      {open === "export" && <ExportAccount onClose={close} />}
      {open === "delete" && <DeleteAccount account={account} onClose={close} />}
    </>
  );
}

interface RenameAccountProps {
  readonly account: Account;
  readonly onClose: () => void;
}

function RenameAccount({ account, onClose }: RenameAccountProps) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: account.name } });
  const rename = useMutation({
    mutationFn: (name: string) => renameAccount(account, name),
    onSuccess: async (renamed) => {
      queryClient.setQueryData(["account"], renamed);
      // The navigation shows the name.
      await queryClient.invalidateQueries({ queryKey: ["session"] });
      onClose();
    },
    onError: (error) => {
      form.setErrors(fieldFaults(error));
      // After a change by another member, the next try is based on the current account.
      void queryClient.invalidateQueries({ queryKey: ["account"] });
    },
  });
  return (
    <FormDialog
      title={t.account.renameTitle}
      detail={t.account.renameDetail}
      action={t.account.save}
      isPending={rename.isPending}
      error={rename.error}
      onSubmit={form.onSubmit(({ name }) => rename.mutate(name))}
      onClose={onClose}
    >
      <TextInput
        label={t.account.name}
        maxLength={100}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}
