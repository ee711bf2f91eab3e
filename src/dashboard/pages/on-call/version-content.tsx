import { useQuery } from "@tanstack/react-query";
import { restoreSchedule, type Schedule, scheduleVersionQuery } from "../../api/oncalls.ts";
import { RestoreVersion } from "../../parts/restore-version.tsx";
import { StateView } from "../../parts/state-view.tsx";
import { useMay } from "../../parts/use-may.ts";
import { type OpenVersion, VersionView } from "../../parts/version-view.tsx";
import { t } from "../../texts/texts.ts";
import { ScheduleDifference } from "./schedule-difference.tsx";

interface VersionContentProps extends OpenVersion {
  readonly schedule: Schedule;
}

/** An open version: its settings, and its actions. */
export function VersionContent({ schedule, ...open }: VersionContentProps) {
  const { version, current } = open;
  const { settings, revision } = schedule;
  const { name } = settings;
  const query = useQuery(scheduleVersionQuery(name, version.version));
  const may = useMay();
  const restoration = (onClose: () => void) => (
    <RestoreVersion
      version={version.version}
      detail={t.onCall.restoreDetail}
      restore={() => restoreSchedule(name, revision, version.version)}
      queryKey={["on-call-schedules"]}
      onClose={onClose}
    >
      {() =>
        current !== undefined && <ScheduleDifference name={name} before={current} after={version.version} />
      }
    </RestoreVersion>
  );
  return (
    <div className="stack">
      <StateView query={query}>
        {({ content }) => (
          <VersionView
            {...open}
            content={content}
            restoration={may("alerts.write") ? restoration : undefined}
          />
        )}
      </StateView>
    </div>
  );
}
