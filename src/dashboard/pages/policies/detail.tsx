import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Policy, policyQuery } from "../../api/policies.ts";
import { Problem } from "../../api/problem.ts";
import { Answer } from "../../parts/answer.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, policyFormat } from "./content.ts";
import { DeletedQueue } from "./deleted-queue.tsx";
import { Editor } from "./editor.tsx";
import { PolicyActions } from "./policy-actions.tsx";
import { Queue } from "./queue.tsx";
import { SaveRow } from "./save-row.tsx";
import { policyTabs } from "./tabs.ts";
import { transportsText } from "./transport-text.ts";
import { TryIt } from "./try-it.tsx";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/inside/policies/$name");

/** A routing policy: its settings, its answers, its versions, its queue. */
export function PolicyPage() {
  const { name } = route.useParams();
  const { tab } = route.useSearch();
  const query = useQuery(policyQuery(name));
  const isDeleted = query.data === undefined && isMissing(query.error);
  // Its holds can still be released.
  if (tab === "queue" && isDeleted) return <DeletedQueue name={name} />;
  return <StateView query={query}>{(policy) => <PolicyView key={policy.name} policy={policy} />}</StateView>;
}

/** Holds the draft, which all tabs share. */
function PolicyView({ policy }: { readonly policy: Policy }) {
  const { tab = "settings" } = route.useSearch();
  const draft = useDraft(contentOf(policy), policy.revision, policyFormat);
  const [target, setTarget] = useState("");
  const may = useMay();
  const isOperators = policy.stored_by === "operator";
  const isReadOnly = isOperators || !may("policies.write");
  return (
    <>
      <PageHead
        title={policy.name}
        detail={
          <>
            {policy.default && (
              <>
                <StateBadge tone="info">{t.policies.isDefault}</StateBadge>{" "}
              </>
            )}
            {transportsText(policy.transports)}. {t.policies.storedBy}:{" "}
            {t.policies.owners[policy.stored_by] ?? policy.stored_by}, <Time at={policy.updated_at} withDay />
          </>
        }
        above={
          <Link to="/policies" className="link">
            {t.policies.title}
          </Link>
        }
      >
        <PolicyActions policy={policy} />
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {policyTabs.map((one) => (
          <Link
            key={one}
            from="/policies/$name"
            search={one === "settings" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.policies.tabs[one]}
          </Link>
        ))}
      </nav>
      {isReadOnly && tab === "settings" && (
        <Answer tone="info">
          <p>{isOperators ? t.policies.operatorOwned : t.policies.mayNotChange}</p>
        </Answer>
      )}
      {tab === "settings" && <Editor draft={draft} isReadOnly={isReadOnly} />}
      {tab === "try" && (
        <TryIt
          // Answers go when their policies do.
          key={`${policy.revision} ${draft.isDirty}`}
          stored={policy.name}
          name={policy.name}
          draft={draft}
          target={target}
          onTarget={setTarget}
        />
      )}
      {!isReadOnly && (tab === "settings" || (tab === "try" && draft.isDirty)) && (
        <SaveRow policy={policy} draft={draft} />
      )}
      {tab === "versions" && <Versions policy={policy} />}
      {tab === "queue" && <Queue name={policy.name} />}
      <UnsavedChanges
        isDirty={draft.isDirty}
        title={t.drafts.leaveTitle}
        detail={t.policies.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}

const isMissing = (error: Error | null) => error instanceof Problem && error.code === "policy.not_found";
