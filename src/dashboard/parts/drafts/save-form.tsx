import { Button } from "@mantine/core";
import type { FormEvent } from "react";
import { Problem } from "../../api/problem.ts";
import { t } from "../../texts/texts.ts";
import { FormFault } from "../form-fault.tsx";
import { StaleNotice } from "./stale-notice.tsx";
import type { Draft } from "./use-draft.ts";

interface SaveFormProps<Content extends object> {
  readonly draft: Draft<Content>;
  /** Settings that the server has, and the time of their last change if it is known. */
  readonly stored: Content;
  readonly storedAt?: string;
  /** The request that stores the draft. */
  readonly save: { readonly isPending: boolean; readonly error: Error | null };
  readonly onSave: () => void;
  readonly action: string;
  /** Effect of saving. */
  readonly detail: string;
  /** Whether the values of a field are not shown after another change; missing: those of passwords. */
  readonly isSecret?: (field: string) => boolean;
}

/** Buttons that store or discard a draft. After a change by another member, both states are shown. */
export function SaveForm<Content extends object>(props: SaveFormProps<Content>) {
  const { draft, stored, storedAt, save, onSave, action, detail, isSecret } = props;

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSave();
  }

  return (
    <form className="stack" onSubmit={submit}>
      {draft.isStale && (
        <StaleNotice stored={stored} {...(storedAt && { storedAt })} draft={draft} isSecret={isSecret} />
      )}
      {!isStale(save.error) && <FormFault error={save.error} />}
      <div className="row">
        <Button
          type="submit"
          loading={save.isPending}
          disabled={!draft.isDirty || draft.isStale || draft.fault !== undefined}
        >
          {action}
        </Button>
        {draft.isDirty && (
          <Button variant="default" onClick={draft.discard}>
            {t.drafts.discard}
          </Button>
        )}
        <span className="muted">{draft.fault ? t.drafts.unreadable : detail}</span>
      </div>
    </form>
  );
}

/** Whether the server refused a change because of a later one. */
export const isStale = (error: Error | null) =>
  error instanceof Problem && ["policy.stale", "resource.stale"].includes(error.code);
