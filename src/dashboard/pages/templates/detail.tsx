import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Template, templateQuery } from "../../api/templates.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { Edit } from "./edit.tsx";
import { templateTabs } from "./tabs.ts";
import { TemplateActions } from "./template-actions.tsx";
import { TemplateState } from "./template-state.tsx";
import { Use } from "./use.tsx";
import { type Draft, useDraft } from "./use-draft.ts";
import { useTestData } from "./use-test-data.ts";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/inside/templates/$name");

/** One template: its editor, its versions and its uses. */
export function TemplatePage() {
  const { name } = route.useParams();
  const query = useQuery(templateQuery(name));
  return (
    <StateView query={query}>
      {(template) => <TemplateView key={template.name} newest={template} />}
    </StateView>
  );
}

/** The edited text lives here, so that it stays while another tab is open. */
function TemplateView({ newest }: { readonly newest: Template }) {
  const { tab = "edit" } = route.useSearch();
  const draft = useDraft(newest);
  const data = useTestData(draft.base);
  const { base, isDirty } = draft;
  const may = useMay();
  return (
    <>
      <PageHead
        title={base.name}
        detail={<StateLine draft={draft} />}
        above={
          <Link to="/templates" className="link">
            {t.templates.title}
          </Link>
        }
      >
        <TemplateActions draft={draft} data={data} />
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {templateTabs.map((one) => (
          <Link
            key={one}
            from="/templates/$name"
            search={one === "edit" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.templates.tabs[one]}
          </Link>
        ))}
      </nav>
      {tab === "edit" && <Edit draft={draft} data={data} />}
      {tab === "versions" && <Versions draft={draft} />}
      {tab === "use" && <Use name={base.name} />}
      <UnsavedChanges
        isDirty={may("templates.write") && (isDirty || data.isDirty)}
        title={t.templates.leaveTitle}
        detail={t.templates.leaveDetail}
        action={t.templates.leave}
      />
    </>
  );
}

/** Published version, stored draft and unsaved changes. */
function StateLine({ draft: { base, isDirty } }: { readonly draft: Draft }) {
  const { published_version, published_at, draft_saved_at, draft_saved_by } = base;
  return (
    <span className="row">
      <TemplateState template={base} isChanged={draft_saved_at !== undefined} />
      {published_at && (
        <span>
          {t.templates.versionOf(published_version)}, <Time at={published_at} withDay />
        </span>
      )}
      {draft_saved_at && (
        <span>
          {draft_saved_by ? t.templates.draftOf(draft_saved_by) : t.templates.draftSaved}{" "}
          <Time at={draft_saved_at} withDay />
        </span>
      )}
      {isDirty && <StateBadge tone="warn">{t.templates.unsaved}</StateBadge>}
    </span>
  );
}
