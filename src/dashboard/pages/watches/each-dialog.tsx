import { Button, Group, Progress, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import type { ListedWatch } from "../../api/watches.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { detailOf } from "../../parts/problem-notice.tsx";
import { t } from "../../texts/texts.ts";
import { useEach } from "./use-each.ts";

interface EachDialogProps {
  readonly title: string;
  /** Effect of the change. */
  readonly detail: string;
  readonly action: string;
  readonly color?: string;
  readonly watches: readonly ListedWatch[];
  readonly change: (watch: ListedWatch) => Promise<unknown>;
  /** Fields of the change. */
  readonly children?: ReactNode;
  /** Called when every domain was changed. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const NAMED = 5;

/** Names the domains of a change, then changes them one by one, and shows those that were refused with their reasons. */
export function EachDialog(props: EachDialogProps) {
  const { title, detail, action, color = "accent", watches, change, children, onDone, onClose } = props;
  const queryClient = useQueryClient();
  const { state, run } = useEach(watches, change);
  const { done, failed, isRunning, hasEnded } = state;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const failures = await run();
    if (failures === 0) onDone();
    await queryClient.invalidateQueries({ queryKey: ["intel"] });
  }

  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <p className="tight">
            <b>{t.watches.meant(watches.length)}</b> {detail}
          </p>
          {!hasEnded && (
            <p className="muted tight">
              {watches
                .slice(0, NAMED)
                .map(({ name_unicode: name }) => name)
                .join(", ")}
              {watches.length > NAMED && ` ${t.dmarc.moreDomains(watches.length - NAMED)}`}
            </p>
          )}
          {!hasEnded && children}
          {(isRunning || hasEnded) && (
            <div role="status">
              <p className="tight">{t.watches.changed(done - failed.length, watches.length)}</p>
              <Progress value={(done / watches.length) * 100} mt={8} aria-label={title} />
            </div>
          )}
          {failed.length > 0 && (
            <div role="alert">
              <ul className="plain">
                {failed.map(({ watch, error }) => (
                  <li key={watch.id}>
                    <b>{watch.name_unicode}</b> {detailOf(error)}
                  </li>
                ))}
              </ul>
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {hasEnded ? t.common.close : t.common.cancel}
            </Button>
            {!hasEnded && (
              <Button type="submit" color={color} loading={isRunning}>
                {action}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
