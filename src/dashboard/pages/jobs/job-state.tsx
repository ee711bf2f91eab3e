import type { Job } from "../../api/jobs.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";

const tones: Readonly<Record<string, Tone>> = { running: "info", succeeded: "ok", failed: "bad" };

export function JobState({ job: { state } }: { readonly job: Pick<Job, "state"> }) {
  return <StateBadge tone={tones[state] ?? "idle"}>{t.jobs.states[state] ?? state}</StateBadge>;
}

/** The work of the job as text. */
export function jobTitle({ kind, about }: Pick<Job, "kind" | "about">): string {
  const name = ownText<string>(t.jobs.kinds, kind) ?? kind;
  const action = about.action;
  return action ? `${name}: ${(t.jobs.actions[action] ?? action).toLowerCase()}` : name;
}

/** Progress of the job: `120 of 312`. */
export function progressText({ done, skipped, failed, total }: Job): string {
  const ended = done + skipped + failed;
  return total === undefined ? t.jobs.uncounted(ended) : t.jobs.of(ended, total);
}
