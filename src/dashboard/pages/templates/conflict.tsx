import { Button } from "@mantine/core";
import type { Template } from "../../api/templates.ts";
import { Answer } from "../../parts/answer.tsx";
import { t } from "../../texts/texts.ts";
import { differingFields, textOf } from "./draft-text.ts";
import type { Draft } from "./use-draft.ts";

interface ConflictProps {
  readonly draft: Draft;
  /** The template with the text of another client. */
  readonly theirs: Template;
}

/** Shows the stored text next to the edited one, and lets the user choose. */
export function Conflict({ draft, theirs }: ConflictProps) {
  const by = theirs.draft_saved_at ? theirs.draft_saved_by : theirs.published_by;
  const fields = differingFields(textOf(theirs.content), draft.text);
  return (
    <section className="card" aria-labelledby="conflict">
      <header>
        <h2 id="conflict">{t.templates.conflict}</h2>
      </header>
      <div className="body stack">
        <Answer tone="warn" role="alert">
          <p>{by ? t.templates.conflictBy(by) : t.templates.conflictUnknown}</p>
        </Answer>
        {fields.map(({ field, theirs: stored, yours }) => (
          <div key={field} className="stack">
            <h3>{t.templates.fields[field] ?? field}</h3>
            <div className="pair">
              <Side label={t.templates.theirs} text={stored} />
              <Side label={t.templates.yours} text={yours} />
            </div>
          </div>
        ))}
        <div className="row">
          <Button variant="default" onClick={() => draft.adopt(theirs)}>
            {t.templates.takeTheirs}
          </Button>
          <Button variant="default" onClick={() => draft.rebase(theirs)}>
            {t.templates.keepMine}
          </Button>
          <span className="muted">{t.templates.keepMineDetail}</span>
        </div>
      </div>
    </section>
  );
}

function Side({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <span className="faint">{label}</span>
      <section className="smtp wrapped source" aria-label={label} tabIndex={0}>
        {text || t.templates.nothing}
      </section>
    </div>
  );
}
