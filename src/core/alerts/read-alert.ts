import { toBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Alert as AlertMessage, AlertSchema } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { type Alert, severities } from "../../alerts/alert.ts";
import type { AlertLink } from "../../alerts/incident.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { webAddressOf } from "../../shared/web-address.ts";
import { type AlertStatus, alertStatuses } from "../../store/alert-documents.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";

/** A validated alert. */
export interface ReadAlert {
  readonly alert: Alert;
  readonly status: AlertStatus;
  readonly links: readonly AlertLink[];
  readonly dedupKey?: string;
  readonly occurredAt?: Date;
}

const MAX_ALERT_BYTES = 256 * 1024;
const MAX_NAME = 255;
const MAX_MESSAGE = 10_000;
const MAX_LINKS = 10;
const MAX_HREF = 2_000;
const MAX_LINK_TEXT = 100;
const MAX_DEPTH = 32;

/** Size of an alert in octets, as received by the core. */
export function sizeOf(alert: AlertMessage | undefined): number {
  return alert ? toBinary(AlertSchema, alert).length : 0;
}

/**
 * @param prefix JSON pointer to the alert
 * @throws Fault request.too_large, request.validation_failed with all errors
 */
export function readAlert(given: AlertMessage | undefined, prefix = ""): ReadAlert {
  const sizeBytes = sizeOf(given);
  if (sizeBytes > MAX_ALERT_BYTES)
    throw fault("request.too_large", {
      public: say("alert_most_octets_one", { max: MAX_ALERT_BYTES, actual: sizeBytes }),
    });
  const faults = createFieldFaults();
  const read = readAlertInto(given, prefix, faults);
  if (!read || faults.found.length > 0) throw validationFault(faults.found);
  return read;
}

function readAlertInto(
  given: AlertMessage | undefined,
  prefix: string,
  faults: FieldFaults,
): ReadAlert | undefined {
  if (!given) {
    faults.add(prefix || "/alert", "field.required", say("alert_needed"));
    return undefined;
  }
  const at = (field: string) => `${prefix}${pointer(field)}`;
  const text = (field: string, value: string | undefined, most: number, isNeeded: boolean) => {
    if (value === undefined || (value === "" && !isNeeded)) return;
    if (value === "") faults.add(at(field), "field.required", say("not_empty"));
    if (value.length > most)
      faults.add(
        at(field),
        "field.invalid",
        say("at_most_characters_not", { max: most, actual: value.length }),
      );
  };
  text("event_type", given.eventType, MAX_NAME, true);
  text("source", given.source, MAX_NAME, true);
  text("message", given.message, MAX_MESSAGE, true);
  text("entity_type", given.entityType, MAX_NAME, false);
  text("entity_id", given.entityId, MAX_NAME, false);
  text("dedup_key", given.dedupKey, MAX_NAME, true);
  text("dedup_scope", given.dedupScope, MAX_NAME, false);
  const severity = severities.find((known) => known === given.severity);
  if (!severity) faults.add(at("severity"), "field.invalid", say("one_of", { allowed: severities }));
  const status = alertStatuses.find((known) => known === (given.status || "firing"));
  if (!status) faults.add(at("status"), "field.invalid", say("one_of", { allowed: alertStatuses }));
  const { context = {} } = given;
  if (depthOf(context) > MAX_DEPTH)
    faults.add(at("context"), "field.invalid", say("at_most_levels", { max: MAX_DEPTH }));
  else if (hasNul(context)) faults.add(at("context"), "field.invalid", say("names_no_nul_character"));
  const links = readLinks(given, at("links"), faults);
  if (!severity || !status) return undefined;
  const { eventType, source, message, entityType, entityId, dedupKey, occurredAt } = given;
  return {
    alert: {
      eventType,
      severity,
      source,
      message,
      context,
      // A missing text and an empty one are equal.
      ...(entityType && { entityType }),
      ...(entityId && { entityId }),
    },
    status,
    links,
    ...(dedupKey !== undefined && { dedupKey }),
    ...(occurredAt && { occurredAt: timestampDate(occurredAt) }),
  };
}

function readLinks({ links }: AlertMessage, at: string, faults: FieldFaults): AlertLink[] {
  if (links.length > MAX_LINKS) faults.add(at, "field.too_many", say("at_most", { max: MAX_LINKS }));
  return links.slice(0, MAX_LINKS).map(({ href: given, text }, index) => {
    const href = webAddressOf(given, MAX_HREF) ?? "";
    if (href === "")
      faults.add(
        `${at}/${index}/href`,
        "field.invalid",
        say("address_http_https_most_characters", { max: MAX_HREF }),
      );
    if (text.length > MAX_LINK_TEXT)
      faults.add(`${at}/${index}/text`, "field.invalid", say("at_most_characters", { max: MAX_LINK_TEXT }));
    return { href, text: text || href };
  });
}

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return depth;
  return Math.max(depth + 1, ...Object.values(value).map((inner) => depthOf(inner, depth + 1)));
}

/** No store accepts such names. */
function hasNul(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => name.includes("\0") || hasNul(inner));
}
