import type { TargetSettings } from "../../../gen/hermod/target/v1/target_service_pb.ts";
import { type TargetKind, targetKinds } from "../../alerts/notify/target.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import type { TargetDocument } from "../../store/target-documents.ts";
import { createFieldFaults } from "../field-faults.ts";
import { checkUrl, readHeaders, type SettingsBounds } from "../webhooks/read-settings.ts";

/** Settings of a target in stored form. */
export type ChosenTarget = Pick<TargetDocument, "name" | "url" | "description" | "headers" | "ratePerSecond">;

const MAX_DESCRIPTION = 200;

/**
 * Requests per second: the default, and the largest number that the service accepts.
 * https://docs.slack.dev/apis/web-api/rate-limits#incoming-webhooks (1 message per second),
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using#rate-limiting-for-connectors
 * (4 requests per second)
 */
const RATES: Readonly<Record<TargetKind, { readonly usual: number; readonly most: number }>> = {
  slack: { usual: 1, most: 1 },
  teams: { usual: 1, most: 4 },
  webhook: { usual: 10, most: 100 },
};

/** @throws Fault request.validation_failed */
export function readTargetKind(given: string): TargetKind {
  const kind = targetKinds.find((known) => known === given);
  if (kind) return kind;
  const message = say("one_of", { allowed: targetKinds });
  throw validationFault([{ pointer: "/kind", code: "field.invalid", message }]);
}

/**
 * @param at time of the change
 * @param former earlier settings. Their URL stays if none is given, and their header values if none are given and the
 *   URL is unchanged, because they are for its server only
 * @throws Fault request.validation_failed
 */
export function readTarget(
  kind: TargetKind,
  settings: TargetSettings | undefined,
  { allowPrivate }: SettingsBounds,
  at: Date,
  former?: Pick<TargetDocument, "url" | "headers">,
): ChosenTarget {
  const faults = createFieldFaults();
  const { name = "", description = "", headers: given = [] } = settings ?? {};
  const url = settings?.url || (former?.url ?? "");
  if (!isResourceName(name)) faults.add("/name", "field.invalid", say("target_name"));
  checkUrl(url, allowPrivate, faults);
  if (description.length > MAX_DESCRIPTION)
    faults.add(
      "/description",
      "field.too_long",
      say("description_most_characters", { max: MAX_DESCRIPTION }),
    );
  const { usual, most } = RATES[kind];
  const { ratePerSecond = usual } = settings ?? {};
  if (ratePerSecond < 1 || ratePerSecond > most)
    faults.add(
      "/rate_per_second",
      "field.invalid",
      say("field_from_1", { field: "rate_per_second", max: most }),
    );
  const kept = former?.url === url ? former.headers : [];
  const headers = readHeaders({ given, kept, at }, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return { name, url, description, headers, ratePerSecond };
}
