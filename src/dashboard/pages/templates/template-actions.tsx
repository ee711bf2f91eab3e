import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { deleteTemplate, discardDraft, saveDraft, templateQuery } from "../../api/templates.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { RemoveUsed } from "../../parts/remove-used.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { bodyOf, type DraftText } from "./draft-text.ts";
import type { Draft } from "./use-draft.ts";
import { useStored, useTemplateChange } from "./use-template-change.ts";
import type { TestData } from "./use-test-data.ts";

const Duplicate = lazy(async () => ({ default: (await import("./duplicate.tsx")).Duplicate }));
const Publish = lazy(async () => ({ default: (await import("./publish.tsx")).Publish }));
const TestSend = lazy(async () => ({ default: (await import("./test-send.tsx")).TestSend }));

interface TemplateActionsProps {
  readonly draft: Draft;
  readonly data: TestData;
}

/** Actions on a template. */
export function TemplateActions({ draft, data }: TemplateActionsProps) {
  const { base, text, isDirty } = draft;
  const { name, draft_saved_at, published_version } = base;
  const may = useMay();
  const [open, setOpen] = useState<"publish" | "test" | "discard" | "duplicate" | "remove">();
  const close = () => setOpen(undefined);
  const { reload } = useStored(name);
  const leave = useLeave(draft);
  const save = useTemplateChange<DraftText>({
    draft,
    change: (sent) => saveDraft(name, base.revision, bodyOf(sent)),
    take: draft.settle,
    onDone: () => notifications.show({ message: t.templates.saved, role: "status" }),
  });
  const discard = useTemplateChange({
    draft,
    change: () => discardDraft(name, base.revision),
    take: draft.adopt,
    onDone: close,
  });
  if (!may("templates.write")) return null;

  return (
    <>
      <Button
        variant="default"
        disabled={!isDirty || draft.theirs !== undefined}
        loading={save.isPending}
        onClick={() => save.mutate(text, { onError: notifyProblem })}
      >
        {t.templates.save}
      </Button>
      {may("email.send") && (
        <Button variant="default" onClick={() => setOpen("test")}>
          {t.templates.test}
        </Button>
      )}
      <Button
        disabled={(!isDirty && draft_saved_at === undefined) || draft.theirs !== undefined}
        onClick={() => setOpen("publish")}
      >
        {t.templates.publish}
      </Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default">{t.templates.more}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen("duplicate")}>{t.templates.duplicate}</Menu.Item>
          {draft_saved_at && <Menu.Item onClick={() => setOpen("discard")}>{t.templates.discard}</Menu.Item>}
          <Menu.Item onClick={() => setOpen("remove")}>{t.templates.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {open === "publish" && <Publish draft={draft} onClose={close} />}
        {open === "test" && <TestSend draft={draft} data={data} onClose={close} />}
        {open === "duplicate" && <Duplicate draft={draft} onClose={close} />}
      </Suspense>
      {open === "discard" && (
        <Confirm
          title={t.templates.discard}
          detail={published_version > 0 ? t.templates.discardDetail : t.templates.discardOnlyDetail}
          action={t.templates.discard}
          isPending={discard.isPending}
          error={discard.error}
          onConfirm={() => discard.mutate()}
          onClose={close}
        />
      )}
      {open === "remove" && (
        <RemoveUsed
          title={t.templates.removeTitle(name)}
          detail={t.templates.removeDetail}
          remove={(isForced) =>
            deleteTemplate(name, base.revision, isForced).catch((error: unknown) => {
              reload();
              throw error;
            })
          }
          onRemoved={leave}
          onClose={close}
        />
      )}
    </>
  );
}

/** Goes to the list after the removal. Unsaved changes of a removed template are lost. */
function useLeave({ base: { name } }: Draft) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate({ to: "/templates", ignoreBlocker: true });
    queryClient.removeQueries({ queryKey: templateQuery(name).queryKey });
    await queryClient.invalidateQueries({ queryKey: ["templates"] });
  };
}
