import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type AlertRule, ruleQuery } from "../../api/rules.ts";
import { Answer } from "../../parts/answer.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, ruleFormat } from "./content.ts";
import { Editor } from "./editor.tsx";
import { RuleActions } from "./rule-actions.tsx";
import { conditionsText } from "./rule-text.ts";
import { SaveRow } from "./save-row.tsx";
import { ruleTabs } from "./tabs.ts";
import { TryIt } from "./try-it.tsx";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/inside/alert-rules/$name");

/** An alert rule: its settings, its answer to an alert, its versions. */
export function RulePage() {
  const { name } = route.useParams();
  const query = useQuery(ruleQuery(name));
  return <StateView query={query}>{(rule) => <RuleView key={rule.settings.name} rule={rule} />}</StateView>;
}

/** Holds the draft, which all tabs share. */
function RuleView({ rule }: { readonly rule: AlertRule }) {
  const { tab = "settings" } = route.useSearch();
  const { settings, revision, updated_at: updatedAt } = rule;
  const draft = useDraft(contentOf(settings), revision, ruleFormat);
  const isReadOnly = !useMay()("alerts.write");
  return (
    <>
      <PageHead
        title={settings.name}
        detail={
          <>
            {settings.enabled === false && (
              <>
                <StateBadge tone="idle">{t.rules.disabled}</StateBadge>{" "}
              </>
            )}
            <span className="mono">{conditionsText(settings)}</span>. {t.rules.updated}:{" "}
            <Time at={updatedAt} withDay />
          </>
        }
        above={
          <Link to="/alert-rules" className="link">
            {t.rules.title}
          </Link>
        }
      >
        <RuleActions rule={rule} />
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {ruleTabs.map((one) => (
          <Link
            key={one}
            from="/alert-rules/$name"
            search={one === "settings" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.rules.tabs[one]}
          </Link>
        ))}
      </nav>
      {isReadOnly && tab === "settings" && (
        <Answer tone="info">
          <p>{t.rules.mayNotChange}</p>
        </Answer>
      )}
      {tab === "settings" && <Editor draft={draft} isReadOnly={isReadOnly} />}
      {tab === "try" && (
        // Answers go when their rule does.
        <TryIt key={`${revision} ${draft.isDirty}`} name={settings.name} draft={draft} isStored />
      )}
      {!isReadOnly && (tab === "settings" || (tab === "try" && draft.isDirty)) && (
        <SaveRow rule={rule} draft={draft} />
      )}
      {tab === "versions" && <Versions rule={rule} />}
      <UnsavedChanges
        isDirty={draft.isDirty}
        title={t.drafts.leaveTitle}
        detail={t.rules.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
