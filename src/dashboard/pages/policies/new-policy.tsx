import { Button, Switch, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type CreatedPolicy, createPolicy, type PolicyContent } from "../../api/policies.ts";
import { faultAtOf, faultsOf } from "../../parts/drafts/draft-faults.ts";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { policyFormat } from "./content.ts";
import { Editor } from "./editor.tsx";
import { TryIt } from "./try-it.tsx";

const route = getRouteApi("/inside/policies/-/new");
const tabs = ["settings", "try"] as const;
/** JSON pointer of the name, which is no part of the settings. */
const NAME = "/name";

/** The form of a new policy. It can be tried before it is stored. */
export function NewPolicy({ content }: { readonly content: PolicyContent }) {
  const { tab = "settings", from } = route.useSearch();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // A copy stays as it was when it was opened.
  const [first] = useState(content);
  const draft = useDraft(first, "", policyFormat);
  const [name, setName] = useState("");
  const [isDefault, setDefault] = useState(false);
  const [target, setTarget] = useState("");
  const ofSettings = draft.faults.filter(({ pointer }) => pointer !== NAME);
  const create = useMutation({
    mutationFn: (body: CreatedPolicy) => createPolicy(body),
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: ["policies"] });
      await navigate({ to: "/policies/$name", params: { name: created.name }, ignoreBlocker: true });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate({ ...draft.content, name: name.trim(), default: isDefault });
  }

  return (
    <>
      <nav className="tabs" aria-label={t.common.details}>
        {tabs.map((one) => (
          <Link
            key={one}
            to="/policies/-/new"
            search={{ ...(from !== undefined && { from }), ...(one === "try" && { tab: one }) }}
            aria-current={one === tab ? "page" : undefined}
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.policies.tabs[one]}
          </Link>
        ))}
      </nav>
      {tab === "try" ? (
        <TryIt name={name.trim()} draft={draft} target={target} onTarget={setTarget} />
      ) : (
        // The server validates: a field in the hidden view could not show a fault of the browser.
        <form className="stack" noValidate onSubmit={submit}>
          <section className="card" aria-label={t.policies.name}>
            <div className="body stack">
              <TextInput
                label={t.policies.name}
                description={t.policies.nameDetail}
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
              <Switch
                label={t.policies.makeDefault}
                description={t.policies.makeDefaultDetail}
                checked={isDefault}
                onChange={({ currentTarget: { checked } }) => setDefault(checked)}
              />
            </div>
          </section>
          <Editor draft={{ ...draft, faults: ofSettings }} />
          <FormFault error={create.error} />
          <div className="row">
            <Button type="submit" loading={create.isPending} disabled={draft.fault !== undefined}>
              {t.policies.createAction}
            </Button>
            {draft.fault && <span className="muted">{t.drafts.unreadable}</span>}
          </div>
        </form>
      )}
      <UnsavedChanges
        isDirty={draft.isDirty || name !== ""}
        title={t.drafts.leaveTitle}
        detail={t.policies.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
