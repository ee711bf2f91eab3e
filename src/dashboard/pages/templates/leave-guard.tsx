import { Button, Group, Modal, Stack } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { t } from "../../texts/texts.ts";

/** Asks before the user leaves the page with unsaved changes. Another tab of the same page keeps them. */
export function LeaveGuard({ isDirty }: { readonly isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Modal opened onClose={reset} title={t.templates.leaveTitle}>
      <Stack>
        <p>{t.templates.leaveDetail}</p>
        <Group justify="flex-end">
          <Button variant="default" onClick={proceed}>
            {t.templates.leave}
          </Button>
          <Button data-autofocus onClick={reset}>
            {t.templates.stay}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
