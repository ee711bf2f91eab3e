import { Button, Checkbox, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { PolicyContent } from "../../api/policies.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { withoutPasswords } from "./content.ts";
import { OneAnswer, TwoAnswers } from "./explanation.tsx";
import { LastAttempt } from "./last-attempt.tsx";
import { type Trial, type Tried, tryPolicy } from "./try-policy.ts";

interface TryItProps {
  /** Name of the stored policy; missing for a new one. */
  readonly stored?: string;
  readonly name: string;
  readonly draft: Draft<PolicyContent>;
  /** Text of the field. The page keeps it while another tab is open. */
  readonly target: string;
  readonly onTarget: (target: string) => void;
}

/** Explains the route to a recipient, or of a past message, by the stored policy and the unsaved one. */
export function TryIt({ stored, name, draft, target, onTarget }: TryItProps) {
  const [isLookedUp, setLookedUp] = useState(false);
  const isUnsaved = stored === undefined || draft.isDirty;
  const explain = useMutation({
    mutationFn: (trial: Trial) => tryPolicy(trial),
    onError: (error) => draft.setFaults(faultsOf(error, "/policy")),
  });
  const faults = explain.error ? fieldFaults(explain.error) : {};

  function submit(event: FormEvent): void {
    event.preventDefault();
    explain.mutate({
      target: target.trim(),
      isLookedUp,
      stored,
      unsaved: isUnsaved ? { name, content: withoutPasswords(draft.content) } : undefined,
    });
  }

  return (
    <>
      <form className="card" onSubmit={submit}>
        <div className="body stack">
          <TextInput
            label={t.policies.tryTarget}
            description={t.policies.tryTargetDetail}
            placeholder="ada@example.org"
            required
            autoComplete="off"
            error={faults.recipient ?? faults.message_id}
            value={target}
            onChange={({ currentTarget: { value } }) => onTarget(value)}
          />
          <Checkbox
            label={t.policies.tryLookUp}
            checked={isLookedUp}
            onChange={({ currentTarget: { checked } }) => setLookedUp(checked)}
          />
          <div className="row">
            <Button type="submit" loading={explain.isPending} disabled={draft.fault !== undefined}>
              {t.policies.tryAction}
            </Button>
            {draft.fault && <span className="muted">{t.drafts.unreadable}</span>}
          </div>
          {!isUnsaved && <p className="faint tight">{t.policies.nothingUnsaved}</p>}
        </div>
      </form>
      <FormFault error={explain.error} />
      {explain.data && <Answers tried={explain.data} stored={stored} />}
    </>
  );
}

function Answers({ tried, stored: name }: { readonly tried: Tried; readonly stored: string | undefined }) {
  const { stored, unsaved, ofMessage } = tried;
  return (
    <>
      {ofMessage && ofMessage.policy !== name && (
        <p className="muted tight">{t.policies.otherPolicy(ofMessage.policy)}</p>
      )}
      {stored && unsaved && <TwoAnswers stored={stored} unsaved={unsaved} />}
      {stored && !unsaved && <OneAnswer title={t.policies.stored} explained={stored} />}
      {!stored && unsaved && <OneAnswer title={t.policies.unsaved} explained={unsaved} />}
      {ofMessage?.attempted && <LastAttempt attempted={ofMessage.attempted} />}
    </>
  );
}
