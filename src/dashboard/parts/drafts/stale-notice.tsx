import { Button } from "@mantine/core";
import { t } from "../../texts/texts.ts";
import { Answer } from "../answer.tsx";
import { FieldChanges } from "../field-changes.tsx";
import { timeText } from "../time.tsx";
import { changesBetween } from "./draft-content.ts";
import type { Draft } from "./use-draft.ts";

interface StaleNoticeProps<Content extends object> {
  /** Settings that another member has stored, and the time if it is known. */
  readonly stored: Content;
  readonly storedAt?: string;
  readonly draft: Draft<Content>;
  /** Whether the values of a field are not shown; missing: those of passwords. */
  readonly isSecret?: ((field: string) => boolean) | undefined;
}

/** Shows the stored state beside the draft after another change. The user continues with one of them. */
export function StaleNotice<Content extends object>(props: StaleNoticeProps<Content>) {
  const { stored, storedAt, draft, isSecret } = props;
  const changes = changesBetween(stored, draft.content, isSecret);
  return (
    <Answer tone="warn" role="alert">
      <p>
        <b>{t.drafts.stale}</b>
      </p>
      {storedAt && <p>{t.drafts.staleDetail(timeText(storedAt, new Date(), true))}</p>}
      <p className="muted">{t.drafts.staleMineDetail}</p>
      <div className="card gap-above">
        <div className="body">
          {changes.length === 0 ? (
            <p className="tight">{t.drafts.staleSame}</p>
          ) : (
            <FieldChanges
              label={t.drafts.stale}
              changes={changes}
              secretText={t.versions.secretChanged}
              beforeText={t.drafts.stored}
              afterText={t.drafts.unsaved}
            />
          )}
        </div>
      </div>
      <div className="row gap-above">
        <Button variant="default" onClick={draft.discard}>
          {t.drafts.staleTheirs}
        </Button>
        <Button variant="default" onClick={draft.rebase}>
          {t.drafts.staleMine}
        </Button>
      </div>
    </Answer>
  );
}
