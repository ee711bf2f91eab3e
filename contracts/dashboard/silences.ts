import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { conditions } from "../common/alert-rule-schemas.ts";
import { ifRevision, ifRevisionOrNone, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import {
  differenceQuery,
  restoredVersion,
  settingDifference,
  settingVersion,
  versionNumber,
} from "../common/setting-versions.ts";
import {
  newSilence,
  present,
  silence,
  silencePreview,
  silencePreviewRequest,
} from "../common/silence-schemas.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const side = (id: string, description: string) => z.strictObject(conditions).meta({ id, description });
const shownSide = (id: string, description: string) => z.object(present).meta({ id, description });
const equal = z.array(z.string()).meta({
  description:
    "Up to 10 fields that must be equal in the source and the target. A missing field equals an empty field.",
  examples: [["entity_id"]],
});

const content = {
  source: shownSide(
    "InhibitionSource",
    "Conditions of the source. While an alert that meets them is active, the target is suppressed.",
  ),
  target: shownSide(
    "InhibitionTarget",
    "Conditions of the target. Notifications for alerts that meet them are suppressed.",
  ),
  equal,
};

const inhibition = z
  .object({
    id: text("Id of the inhibition.", "inh_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    name: text("1 to 100 characters of `a-z 0-9 . _ -`.", "host-down"),
    ...content,
    created_at: moment("Time when the inhibition was created."),
    updated_at: moment("Time of the last change."),
    revision,
  })
  .meta({
    id: "Inhibition",
    description: "Suppresses notifications for the target alerts while a source alert is active.",
  });

export const inhibitionVersion = settingVersion
  .extend({
    content: z
      .object(content)
      .meta({ id: "InhibitionContent", description: "Content of an inhibition in a version." }),
  })
  .meta({ id: "InhibitionVersion", description: "A version of an inhibition with its content." });

const silenceId = z.object({ silence_id: z.string().meta({ description: "Id of the silence." }) });
const inhibitionName = z.object({ name: z.string().meta({ description: "Name of the inhibition." }) });
const ofVersion = [
  "inhibition.unknown",
  "inhibition.version_not_found",
  "request.validation_failed",
] as const;

export const silences = c.router({
  listSilences: {
    method: "GET",
    path: "/api/silences",
    summary: "List silences",
    description: "Lists silences, newest first, including expired ones.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("SilenceList", silence) },
    }),
  },
  getSilence: {
    method: "GET",
    path: "/api/silences/:silence_id",
    pathParams: silenceId,
    summary: "Get a silence",
    ...reading({ access: "alerts.read", faults: ["silence.unknown"], success: { 200: silence } }),
  },
  previewSilence: {
    method: "POST",
    path: "/api/silences/preview",
    summary: "Preview a silence",
    description:
      "Counts the open incidents that a silence would suppress while it is in effect, and the alerts of the last seven days that it would have suppressed. Nothing is stored. Two previews of an account can run at the same time.",
    body: silencePreviewRequest,
    ...changing({ access: "alerts.read", success: { 200: silencePreview } }),
  },
  createSilence: {
    method: "POST",
    path: "/api/silences",
    summary: "Silence alerts",
    description:
      "Suppresses notifications for matching alerts during a time range, or in weekly windows. Incidents still open. Alerts that are still active at the end of the silence or of a window are notified then. Recipients who were notified of an incident are still notified when it is resolved.",
    body: newSilence,
    ...changing({
      access: "alerts.write",
      faults: ["silence.too_many", "silence.unconfirmed"],
      success: { 201: silence },
    }),
  },
  changeSilence: {
    method: "PUT",
    path: "/api/silences/:silence_id",
    pathParams: silenceId,
    summary: "Change a silence",
    description:
      "Replaces the conditions, times and comment of a silence that has not ended. Active alerts that it no longer suppresses are notified at once.",
    body: newSilence.extend({ if_revision: ifRevision }).meta({
      id: "SilenceReplacement",
      description: "Complete content of a silence. Without `starts_at`, the start stays.",
    }),
    ...changing({
      access: "alerts.write",
      faults: ["silence.unknown", "silence.ended", "silence.unconfirmed", "resource.stale"],
      success: { 200: silence },
    }),
  },
  endSilence: {
    method: "POST",
    path: "/api/silences/:silence_id/end",
    pathParams: silenceId,
    summary: "End a silence",
    description:
      "Ends a silence. Active alerts are notified at once. Changes nothing if the silence has already ended.",
    body: c.noBody(),
    ...changing({ access: "alerts.write", faults: ["silence.unknown"], success: { 200: silence } }),
  },
  listInhibitions: {
    method: "GET",
    path: "/api/inhibitions",
    summary: "List inhibitions",
    description: "Lists inhibitions by name. An account has at most 100.",
    ...reading({
      access: "alerts.read",
      success: {
        200: z
          .object({ data: z.array(inhibition) })
          .meta({ id: "InhibitionList", description: "All inhibitions of the account." }),
      },
    }),
  },
  putInhibition: {
    method: "PUT",
    path: "/api/inhibitions/:name",
    pathParams: inhibitionName,
    summary: "Create or replace an inhibition",
    body: z
      .strictObject({
        source: side(
          "NewInhibitionSource",
          "Conditions of the source. While an alert that meets them is active, the target is suppressed.",
        ),
        target: side(
          "NewInhibitionTarget",
          "Conditions of the target. Notifications for alerts that meet them are suppressed.",
        ),
        equal: equal.optional(),
        if_revision: ifRevisionOrNone,
      })
      .meta({ id: "InhibitionReplacement", description: "Complete settings of an inhibition." }),
    ...changing({
      access: "alerts.write",
      faults: ["inhibition.too_many", "resource.stale"],
      success: { 200: inhibition },
    }),
  },
  listInhibitionVersions: {
    method: "GET",
    path: "/api/inhibitions/:name/versions",
    pathParams: inhibitionName,
    summary: "List the versions of an inhibition",
    description:
      "Lists the versions of an inhibition without their content, newest first. Each change stores one, and Hermod keeps the newest 100. The newest one is the present state.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["inhibition.unknown", "request.validation_failed"],
      success: { 200: page("InhibitionVersionList", settingVersion) },
    }),
  },
  getInhibitionVersion: {
    method: "GET",
    path: "/api/inhibitions/:name/versions/:version",
    pathParams: inhibitionName.extend({ version: versionNumber }),
    summary: "Get a version of an inhibition",
    ...reading({
      access: "alerts.read",
      faults: ofVersion,
      success: { 200: inhibitionVersion },
    }),
  },
  compareInhibitionVersions: {
    method: "GET",
    path: "/api/inhibitions/:name/diff",
    pathParams: inhibitionName,
    summary: "Compare two versions of an inhibition",
    query: differenceQuery,
    ...reading({
      access: "alerts.read",
      faults: ofVersion,
      success: { 200: settingDifference },
    }),
  },
  restoreInhibition: {
    method: "POST",
    path: "/api/inhibitions/:name/restore",
    pathParams: inhibitionName,
    summary: "Restore a version of an inhibition",
    description:
      "Stores the content of an earlier version, under the rules of a replacement. Nothing is changed if it equals the present content.",
    body: z
      .strictObject({ version: restoredVersion, if_revision: ifRevision })
      .meta({ id: "InhibitionRestoration", description: "Version of an inhibition to restore." }),
    ...changing({
      access: "alerts.write",
      faults: [...ofVersion, "resource.stale"],
      success: { 200: inhibition },
    }),
  },
  deleteInhibition: {
    method: "DELETE",
    path: "/api/inhibitions/:name",
    pathParams: inhibitionName,
    summary: "Delete an inhibition",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: ["inhibition.unknown", "resource.stale"],
      success: { 204: c.noBody() },
    }),
  },
});
