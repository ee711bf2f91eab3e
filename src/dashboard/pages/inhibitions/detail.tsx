import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Inhibition, inhibitionsQuery } from "../../api/silences.ts";
import { Answer } from "../../parts/answer.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, inhibitionFormat } from "./content.ts";
import { Editor } from "./editor.tsx";
import { RemoveInhibition } from "./remove-inhibition.tsx";
import { SaveRow } from "./save-row.tsx";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/inside/inhibitions/$name");
const tabs = ["settings", "versions"] as const;

/** An inhibition: its settings and its versions. */
export function InhibitionPage() {
  const { name } = route.useParams();
  const query = useQuery(inhibitionsQuery);
  return (
    <StateView query={query}>
      {({ data }) => {
        const inhibition = data.find((one) => one.name === name);
        if (inhibition) return <InhibitionView key={name} inhibition={inhibition} />;
        return (
          <Answer tone="info">
            <p>{t.inhibitions.unknown}</p>
          </Answer>
        );
      }}
    </StateView>
  );
}

/** Holds the draft, which both tabs share. */
function InhibitionView({ inhibition }: { readonly inhibition: Inhibition }) {
  const { tab = "settings" } = route.useSearch();
  const draft = useDraft(contentOf(inhibition), inhibition.revision, inhibitionFormat);
  const isReadOnly = !useMay()("alerts.write");
  return (
    <>
      <PageHead
        title={inhibition.name}
        detail={
          <>
            {t.inhibitions.updated}: <Time at={inhibition.updated_at} withDay />
          </>
        }
        above={
          <Link to="/inhibitions" className="link">
            {t.inhibitions.title}
          </Link>
        }
      >
        {!isReadOnly && <RemoveInhibition inhibition={inhibition} />}
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {tabs.map((one) => (
          <Link
            key={one}
            from="/inhibitions/$name"
            search={one === "settings" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the other.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.inhibitions.tabs[one]}
          </Link>
        ))}
      </nav>
      {isReadOnly && tab === "settings" && (
        <Answer tone="info">
          <p>{t.inhibitions.mayNotChange}</p>
        </Answer>
      )}
      {tab === "settings" && <Editor draft={draft} isReadOnly={isReadOnly} />}
      {!isReadOnly && tab === "settings" && <SaveRow inhibition={inhibition} draft={draft} />}
      {tab === "versions" && <Versions inhibition={inhibition} />}
      <UnsavedChanges
        isDirty={draft.isDirty}
        title={t.drafts.leaveTitle}
        detail={t.inhibitions.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
