import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { removeWatch, replaceWatch, type Watch, watchQuery } from "../../api/watches.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { useMay } from "../../parts/use-may.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { settingsOf } from "./content.ts";

interface WatchActionsProps {
  readonly watch: Watch;
  readonly check: { readonly isPending: boolean; readonly mutate: () => void };
}

/** Actions on a watched domain. */
export function WatchActions({ watch, check }: WatchActionsProps) {
  const { id, name_unicode: name, paused, revision } = watch;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const may = useMay();
  const [isRemoving, setRemoving] = useState(false);
  const pause = useMutation({
    mutationFn: (isPaused: boolean) => replaceWatch(id, revision, { ...settingsOf(watch), paused: isPaused }),
    onSuccess: async (stored, isPaused) => {
      queryClient.setQueryData(watchQuery(id).queryKey, stored);
      notifications.show({ message: isPaused ? t.watches.paused : t.watches.resumed, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["intel"] });
    },
    onError: (error) => {
      notifyProblem(error);
      void queryClient.invalidateQueries({ queryKey: watchQuery(id).queryKey });
    },
  });

  async function leave(): Promise<void> {
    await navigate({ to: "/intel/domains", ignoreBlocker: true });
    notifications.show({ message: t.watches.removed(name), role: "status" });
    queryClient.removeQueries({ queryKey: watchQuery(id).queryKey });
    await queryClient.invalidateQueries({ queryKey: ["intel"] });
  }

  if (!may("intel.write")) return null;
  return (
    <>
      {paused ? (
        <Button loading={pause.isPending} onClick={() => pause.mutate(false)}>
          {t.watches.resume}
        </Button>
      ) : (
        <Button loading={check.isPending || watch.checking !== null} onClick={() => check.mutate()}>
          {t.watches.check}
        </Button>
      )}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.watches.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {!paused && <Menu.Item onClick={() => pause.mutate(true)}>{t.watches.pause}</Menu.Item>}
          <Menu.Item onClick={() => setRemoving(true)}>{t.watches.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRemoving && (
        <RemoveUsed
          title={t.watches.removeTitle(name)}
          detail={t.watches.removeDetail}
          remove={(isForced) => removeWatch(id, revision, isForced)}
          onRemoved={leave}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}
