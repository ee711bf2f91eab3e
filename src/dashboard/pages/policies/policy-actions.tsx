import { Button, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deletePolicy, makeDefaultPolicy, type Policy, policyQuery } from "../../api/policies.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { DeletedPolicy } from "./deleted-policy.tsx";

/** Actions on a policy. Those that change it are missing for a policy of the operator. */
export function PolicyActions({ policy }: { readonly policy: Policy }) {
  const { name, revision, default: isDefault, stored_by: owner } = policy;
  const may = useMay();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"default" | "remove">();
  const [waitingUntil, setWaitingUntil] = useState<string>();
  const close = () => setAsked(undefined);
  const makeDefault = useMutation({
    mutationFn: () => makeDefaultPolicy(name),
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: ["policies"] });
    },
  });

  async function remove(isForced: boolean): Promise<void> {
    try {
      const { waiting_until } = await deletePolicy(name, revision, isForced);
      setWaitingUntil(waiting_until);
    } catch (error) {
      // After a change by another member, the next try is based on the present revision.
      void queryClient.invalidateQueries({ queryKey: policyQuery(name).queryKey });
      throw error;
    }
  }
  async function leave(): Promise<void> {
    await navigate({ to: "/policies", ignoreBlocker: true });
    queryClient.removeQueries({ queryKey: policyQuery(name).queryKey });
    await queryClient.invalidateQueries({ queryKey: ["policies", "list"] });
  }
  async function showQueue(): Promise<void> {
    await navigate({ to: "/policies/$name", params: { name }, search: { tab: "queue" } });
    await queryClient.resetQueries({ queryKey: policyQuery(name).queryKey });
  }

  if (!may("policies.write")) return null;
  const isOwn = owner !== "operator";
  return (
    <div className="row">
      {isOwn && !isDefault && (
        <Button variant="default" onClick={() => setAsked("default")}>
          {t.policies.makeDefault}
        </Button>
      )}
      <Button
        variant="default"
        onClick={() => void navigate({ to: "/policies/-/new", search: { from: name } })}
      >
        {t.policies.duplicate}
      </Button>
      {isOwn && (
        <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button variant="default">{t.policies.more}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={isDefault} onClick={() => setAsked("remove")}>
              {isDefault ? t.policies.removeDefault : t.policies.remove}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {asked === "default" && (
        <FormDialog
          title={t.policies.makeDefaultTitle(name)}
          detail={t.policies.makeDefaultDetail}
          action={t.policies.makeDefault}
          isPending={makeDefault.isPending}
          error={makeDefault.error}
          onSubmit={() => makeDefault.mutate()}
          onClose={close}
        />
      )}
      {asked === "remove" && (
        <RemoveUsed
          title={t.policies.removeTitle(name)}
          detail={t.policies.removeDetail}
          remove={remove}
          onRemoved={close}
          onClose={close}
        />
      )}
      {waitingUntil !== undefined && (
        <DeletedPolicy
          name={name}
          waitingUntil={waitingUntil}
          onQueue={() => void showQueue()}
          onClose={() => void leave()}
        />
      )}
    </div>
  );
}
