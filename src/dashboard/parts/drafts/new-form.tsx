import { Button, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { t } from "../../texts/texts.ts";
import { FormFault } from "../form-fault.tsx";
import { UnsavedChanges } from "../unsaved-changes.tsx";
import { faultAtOf } from "./draft-faults.ts";
import type { Draft } from "./use-draft.ts";

interface NewFormProps<Content extends object> {
  readonly draft: Draft<Content>;
  /** Undefined: the resource has no name. */
  readonly nameLabel?: string;
  /** Describes the loss when the user leaves the page. */
  readonly leaveDetail: string;
  /** The request that creates the resource. */
  readonly create: { readonly isPending: boolean; readonly error: Error | null };
  readonly onCreate: (name: string) => void;
  /** The editor of the settings. Its draft has no faults of the name. */
  readonly editor: (draft: Draft<Content>) => ReactNode;
  /** Below the form. */
  readonly children?: (name: string) => ReactNode;
}

/** JSON pointer of the name, which is no part of the settings. */
const NAME = "/name";

/** The form of a new resource: its name, and settings that are a draft. */
export function NewForm<Content extends object>(props: NewFormProps<Content>) {
  const { draft, nameLabel, leaveDetail, create, onCreate, editor, children } = props;
  const [name, setName] = useState("");
  const ofSettings = draft.faults.filter(({ pointer }) => pointer !== NAME);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onCreate(name.trim());
  }

  return (
    <>
      {/* The server validates: a field in the hidden view could not show a fault of the browser. */}
      <form className="stack" noValidate onSubmit={submit}>
        {nameLabel !== undefined && (
          <div className="card">
            <div className="body">
              <TextInput
                label={nameLabel}
                description={t.rules.nameDetail}
                maxLength={100}
                required
                autoComplete="off"
                error={faultAtOf(draft.faults)(NAME)}
                value={name}
                onChange={({ currentTarget: { value } }) => {
                  setName(value);
                  draft.setFaults(ofSettings);
                }}
              />
            </div>
          </div>
        )}
        {editor({ ...draft, faults: ofSettings })}
        <FormFault error={create.error} />
        <div className="row">
          <Button
            type="submit"
            loading={create.isPending}
            disabled={draft.fault !== undefined || (nameLabel !== undefined && name.trim() === "")}
          >
            {t.rules.createAction}
          </Button>
          {draft.fault && <span className="muted">{t.drafts.unreadable}</span>}
        </div>
      </form>
      {children?.(name.trim())}
      <UnsavedChanges
        isDirty={draft.isDirty || name !== ""}
        title={t.drafts.leaveTitle}
        detail={leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
