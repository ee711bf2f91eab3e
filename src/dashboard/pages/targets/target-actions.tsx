import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteTarget, type Target, targetQuery, testTarget } from "../../api/targets.ts";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { TestDialog } from "./test-dialog.tsx";

/** Actions on a target. */
export function TargetActions({ target }: { readonly target: Target }) {
  const { id, name, revision } = target;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"test" | "remove">();
  // Each press is another test, also shortly after the answer. Its buttons are disabled until then.
  const [tests, setTests] = useState(0);
  const test = useMutation({ mutationFn: (_: number) => testTarget(id) });

  function begin(): void {
    setAsked("test");
    setTests(tests + 1);
    test.mutate(tests);
  }

  async function leave(): Promise<void> {
    notifications.show({ message: t.targets.removed(name), role: "status" });
    await navigate({ to: "/targets", ignoreBlocker: true });
    queryClient.removeQueries({ queryKey: targetQuery(id).queryKey });
    await queryClient.invalidateQueries({ queryKey: ["alert-targets"] });
  }

  return (
    <>
      <Button onClick={begin}>{t.targets.test}</Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.targets.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked("remove")}>{t.targets.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === "test" && (
        <TestDialog target={target} test={test} onAgain={begin} onClose={() => setAsked(undefined)} />
      )}
      {asked === "remove" && (
        <RemoveUsed
          title={t.targets.removeTitle(name)}
          detail={t.targets.removeDetail}
          remove={(isForced) => deleteTarget(id, revision, isForced)}
          onRemoved={leave}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
