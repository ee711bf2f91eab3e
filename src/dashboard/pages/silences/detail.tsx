import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Silence, silenceQuery } from "../../api/silences.ts";
import { Answer } from "../../parts/answer.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, silenceFormat } from "./content.ts";
import { Editor } from "./editor.tsx";
import { SaveRow } from "./save-row.tsx";
import { SilenceActions } from "./silence-actions.tsx";
import { SilenceState } from "./silence-state.tsx";
import { nextText, timesText } from "./times-text.ts";

const route = getRouteApi("/inside/silences/$silenceId");

/** A silence: when it is in effect, and its settings. */
export function SilencePage() {
  const { silenceId } = route.useParams();
  const query = useQuery(silenceQuery(silenceId));
  return (
    <StateView query={query}>{(silence) => <SilenceView key={silence.id} silence={silence} />}</StateView>
  );
}

function SilenceView({ silence }: { readonly silence: Silence }) {
  const { state, comment, created_by: by, created_at: at } = silence;
  const draft = useDraft(contentOf(silence), silence.revision, silenceFormat);
  const mayChange = useMay()("alerts.write");
  const hasEnded = state === "expired";
  const isReadOnly = hasEnded || !mayChange;
  return (
    <>
      <PageHead
        title={comment}
        detail={
          <span className="row">
            <SilenceState state={state} />
            <span>{timesText(silence)}</span>
            <span>
              {t.silences.createdByAt(by)} <Time at={at} withDay />
            </span>
          </span>
        }
        above={
          <Link to="/silences" className="link">
            {t.silences.title}
          </Link>
        }
      >
        {mayChange && <SilenceActions silence={silence} />}
      </PageHead>
      <Answer tone={state === "active" ? "warn" : "info"}>
        <p>
          <b>{nextText(silence)}</b> {t.silences.stateDetails[state]}
        </p>
        {!mayChange && <p>{t.silences.mayNotChange}</p>}
      </Answer>
      <Editor draft={draft} isReadOnly={isReadOnly} />
      {!isReadOnly && <SaveRow silence={silence} draft={draft} />}
      <UnsavedChanges
        isDirty={draft.isDirty && !isReadOnly}
        title={t.drafts.leaveTitle}
        detail={t.silences.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
