import { useQuery } from "@tanstack/react-query";
import { restoreSchedule, type Schedule, scheduleVersionQuery } from "../../api/oncalls.ts";
import { StoredVersion } from "../../parts/stored-version.tsx";
import type { OpenVersion } from "../../parts/version-view.tsx";
import { t } from "../../texts/texts.ts";
import { ScheduleDifference } from "./schedule-difference.tsx";

interface VersionContentProps extends OpenVersion {
  readonly schedule: Schedule;
}

/** An open version: its settings, and its actions. */
export function VersionContent({ schedule, ...open }: VersionContentProps) {
  const { version } = open.version;
  const { settings, revision } = schedule;
  const { name } = settings;
  return (
    <StoredVersion
      {...open}
      query={useQuery(scheduleVersionQuery(name, version))}
      detail={t.onCall.restoreDetail}
      restore={() => restoreSchedule(name, revision, version)}
      queryKey={["on-call-schedules"]}
      difference={(before, after) => <ScheduleDifference name={name} before={before} after={after} />}
    />
  );
}
