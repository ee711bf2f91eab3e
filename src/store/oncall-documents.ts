import type { OnCallOverride, OnCallSettings } from "../alerts/on-call/on-call-schedule.ts";
import { contentRevision } from "./content-revision.ts";

/** Current state of an on-call schedule. */
export interface OnCallScheduleDocument {
  /** `ocs_…`. */
  readonly _id: string;
  readonly accountId: string;
  /** Name from its settings: unique within the account. */
  readonly name: string;
  readonly settings: OnCallSettings;
  /**
   * Number of changes of the schedule and of its overrides. Overrides get their numbers from it, and a swap is stored
   * only if it is still the one that the swap is based on.
   */
  readonly edits: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An override before its creation. */
export type NewOverride = Pick<OnCallOverride, "participant" | "from" | "until" | "comment">;

/** Revision of the settings. Overrides do not change it. */
export const onCallRevision = ({ settings }: Pick<OnCallScheduleDocument, "settings">) =>
  contentRevision(settings);
