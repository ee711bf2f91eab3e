import { Button } from "@mantine/core";
import type { Policy } from "../../api/policies.ts";
import { Answer } from "../../parts/answer.tsx";
import { FieldChanges } from "../../parts/field-changes.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { changesBetween, contentOf } from "./content.ts";
import type { Draft } from "./use-draft.ts";

interface StaleNoticeProps {
  readonly policy: Policy;
  readonly draft: Draft;
}

/** Shows the stored state beside the draft after another change. The user continues with one of them. */
export function StaleNotice({ policy, draft }: StaleNoticeProps) {
  const changes = changesBetween(contentOf(policy), draft.content);
  return (
    <Answer tone="warn" role="alert">
      <p>
        <b>{t.policies.stale}</b>
      </p>
      <p>{t.policies.staleDetail(timeText(policy.updated_at, new Date(), true))}</p>
      <p className="muted">{t.policies.staleMineDetail}</p>
      <div className="card gap-above">
        <div className="body">
          {changes.length === 0 ? (
            <p className="tight">{t.policies.staleSame}</p>
          ) : (
            <FieldChanges
              label={t.policies.stale}
              changes={changes}
              secretText={t.versions.secretChanged}
              beforeText={t.policies.stored}
              afterText={t.policies.unsaved}
            />
          )}
        </div>
      </div>
      <div className="row gap-above">
        <Button variant="default" onClick={draft.discard}>
          {t.policies.staleTheirs}
        </Button>
        <Button variant="default" onClick={draft.rebase}>
          {t.policies.staleMine}
        </Button>
      </div>
    </Answer>
  );
}
