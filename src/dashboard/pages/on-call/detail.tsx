import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type Schedule, scheduleQuery } from "../../api/oncalls.ts";
import { Answer } from "../../parts/answer.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { Time } from "../../parts/time.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, scheduleFormat } from "./content.ts";
import { OnCallNow } from "./on-call-now.tsx";
import { Overrides } from "./overrides.tsx";
import { RemoveSchedule } from "./remove-schedule.tsx";
import { SaveRow } from "./save-row.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { ShiftCalendar } from "./shift-calendar.tsx";
import { onCallTabs } from "./tabs.ts";
import { UsedBy } from "./used-by.tsx";
import { Versions } from "./versions.tsx";

const route = getRouteApi("/inside/on-call/$name");

/** An on-call schedule: who is on call now, its calendar, overrides, settings and versions. */
export function OnCallPage() {
  const { name } = route.useParams();
  const query = useQuery(scheduleQuery(name));
  return (
    <StateView query={query}>
      {(schedule) => <ScheduleView key={schedule.id} schedule={schedule} />}
    </StateView>
  );
}

/** Holds the draft, which the tabs share. */
function ScheduleView({ schedule }: { readonly schedule: Schedule }) {
  const { tab = "calendar" } = route.useSearch();
  const { name, description } = schedule.settings;
  const mayChange = useMay()("alerts.write");
  const draft = useDraft(contentOf(schedule), schedule.revision, scheduleFormat);
  return (
    <>
      <PageHead
        title={name}
        detail={
          <>
            {description && `${description} · `}
            {t.onCall.updated}: <Time at={schedule.updated_at} withDay />
          </>
        }
        above={
          <Link to="/on-call" className="link">
            {t.onCall.title}
          </Link>
        }
      >
        {mayChange && <RemoveSchedule schedule={schedule} />}
      </PageHead>
      <nav className="tabs" aria-label={t.common.details}>
        {onCallTabs.map((one) => (
          <Link
            key={one}
            from="/on-call/$name"
            search={one === "calendar" ? {} : { tab: one }}
            aria-current={one === tab ? "page" : undefined}
            // The address without a tab is a prefix of the others.
            activeOptions={{ exact: true }}
            activeProps={{}}
            resetScroll={false}
          >
            {t.onCall.tabs[one]}
          </Link>
        ))}
      </nav>
      {tab === "calendar" && (
        <>
          <OnCallNow schedule={schedule} />
          <ShiftCalendar schedule={schedule} />
          <UsedBy name={name} />
        </>
      )}
      {tab === "overrides" && <Overrides schedule={schedule} />}
      {tab === "versions" && <Versions schedule={schedule} />}
      {tab === "settings" && (
        <>
          {!mayChange && (
            <Answer tone="info">
              <p>{t.onCall.mayNotChange}</p>
            </Answer>
          )}
          <ScheduleForm draft={draft} persons={schedule.people} isReadOnly={!mayChange} />
          {mayChange && <SaveRow schedule={schedule} draft={draft} />}
        </>
      )}
      <UnsavedChanges
        isDirty={draft.isDirty}
        title={t.drafts.leaveTitle}
        detail={t.onCall.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
