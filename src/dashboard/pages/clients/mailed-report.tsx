import { Button, Group, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Schedule } from "../../api/schedules.ts";
import { Answer } from "../../parts/answer.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { faultText } from "../../texts/fault-text.ts";
import { t } from "../../texts/texts.ts";

interface MailedReportProps {
  /** The schedule after its run. */
  readonly schedule: Schedule;
  readonly onClose: () => void;
}

/** The result of mailing a report: its messages, or the reason of the failure. */
export function MailedReport({ schedule, onClose }: MailedReportProps) {
  const { workspace_id, last_run: run, under_way: work } = schedule;
  // Hermod repeats a run that failed for a temporary reason.
  const ended = work === null ? run : null;
  const isSent = ended?.status === "sent";
  return (
    <Dialog onClose={onClose} title={t.mailReport.title} size="lg">
      <Stack>
        <Answer tone={isSent ? "ok" : ended ? "bad" : "info"} role="alert">
          <p>
            <b>
              {isSent
                ? t.mailReport.sent(ended.message_ids.length)
                : ended
                  ? t.mailReport.failed
                  : t.mailReport.continues}
            </b>
          </p>
          {ended && ended.reason !== null && <p>{faultText({ code: ended.code ?? "" }, ended.reason)}</p>}
        </Answer>
        <div className="row">
          {ended?.report_id && (
            <Link to="/intel/reports/$reportId" params={{ reportId: ended.report_id }} className="link">
              {t.reportSchedules.report}
            </Link>
          )}
          {ended?.message_ids.map((messageId, index) => (
            <Link key={messageId} to="/messages/$messageId" params={{ messageId }} className="link">
              {t.incidents.message(index + 1)}
            </Link>
          ))}
          <Link to="/intel/schedules" search={{ workspace_id }} className="link">
            {t.reportSchedules.title}
          </Link>
        </div>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.secret.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
