import { Select, Textarea } from "@mantine/core";
import { faultAt } from "../../parts/form-fault.tsx";
import { MomentField } from "../../parts/moment-field.tsx";
import { t } from "../../texts/texts.ts";

const DAY_MS = 86_400_000;
const days = ["7", "30", "90", "365"] as const;
const OTHER = "other";

/** The end and the reason of a mute as they are edited. */
export interface MuteDraft {
  /** A number of days, or "other": then `end` has the time. */
  readonly span: string;
  readonly end: string | undefined;
  readonly reason: string;
}

export const newMute: MuteDraft = { span: "30", end: undefined, reason: "" };

/** The end and the reason in the form of the API. @returns undefined: the end is missing */
export function muteOf({ span, end, reason }: MuteDraft) {
  const until = span === OTHER ? end : new Date(Date.now() + Number(span) * DAY_MS).toISOString();
  if (until === undefined) return undefined;
  return { until, ...(reason.trim() !== "" && { reason: reason.trim() }) };
}

interface MuteFieldsProps {
  readonly draft: MuteDraft;
  readonly error: Error | null;
  readonly onChange: (draft: MuteDraft) => void;
}

/** Asks until when a check is muted, and why. */
export function MuteFields({ draft, error, onChange }: MuteFieldsProps) {
  return (
    <>
      <Select
        label={t.watches.muteFor}
        allowDeselect={false}
        data={[
          ...days.map((value) => ({ value, label: t.watches.muteSpans[value] })),
          { value: OTHER, label: t.watches.muteUntil },
        ]}
        value={draft.span}
        onChange={(span) => span && onChange({ ...draft, span })}
      />
      {draft.span === OTHER && (
        <MomentField
          label={t.watches.muteUntil}
          isRequired
          error={faultAt(error, "/until")}
          value={draft.end}
          onChange={(end) => onChange({ ...draft, end })}
        />
      )}
      <Textarea
        label={t.watches.muteReason}
        description={t.watches.muteReasonDetail}
        maxLength={500}
        autosize
        minRows={2}
        error={faultAt(error, "/reason")}
        value={draft.reason}
        onChange={({ currentTarget: { value: reason } }) => onChange({ ...draft, reason })}
      />
    </>
  );
}
