import type { ClientSettings as Asked } from "../../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { LOCALE_RULE, supportedLocale } from "../../intel/reports/report-locale.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { timeZoneOf } from "../../shared/time-zone.ts";
import type { ClientSettings } from "../../store/intel-documents.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";

const MAX_NAME = 200;
const MAX_REF = 200;
const MAX_NOTES = 5_000;
const MAX_EMAILS = 20;
/** Maximum number of tags of a client or a domain. */
export const MAX_TAGS = 20;
const MAX_TAG = 64;
const CONTROL = /\p{Cc}/u;
/** Notes may contain line breaks. */
const CONTROL_IN_NOTES = /[^\P{Cc}\n\r\t]/u;

/**
 * Reads the settings of a client from a request.
 * @throws Fault request.validation_failed
 */
export function readClient(asked: Asked | undefined): ClientSettings {
  const faults = createFieldFaults();
  const { name: given = "", externalRef = "", notes = "", contactEmails = [], tags = [] } = asked ?? {};
  const name = given.trim();
  if (name === "") faults.add("/name", "field.required", say("client_name"));
  // In its comparison form: one character may expand to many.
  checkText(name.normalize("NFKC"), "/name", MAX_NAME, CONTROL, faults);
  checkText(externalRef, "/external_ref", MAX_REF, CONTROL, faults);
  checkNotes(notes, faults);
  if (contactEmails.length > MAX_EMAILS)
    faults.add("/contact_emails", "field.too_many", say("at_most", { max: MAX_EMAILS }));
  for (const [index, address] of contactEmails.entries()) {
    const read = parseAddress(address);
    if (!read.ok) faults.add(pointer("contact_emails", index), read.code, read.message);
  }
  checkTags(tags, faults);
  const locale = readLocale(asked?.locale || "en", faults);
  const timezone = readTimezone(asked?.timezone || "UTC", faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    name,
    contactEmails: [...new Set(contactEmails)],
    tags: [...new Set(tags)],
    locale,
    timezone,
    ...(externalRef !== "" && { externalRef }),
    ...(notes !== "" && { notes }),
  };
}

export function checkNotes(notes: string, faults: FieldFaults): void {
  checkText(notes, "/notes", MAX_NOTES, CONTROL_IN_NOTES, faults);
}

export function checkTags(tags: readonly string[], faults: FieldFaults): void {
  if (tags.length > MAX_TAGS) faults.add("/tags", "field.too_many", say("at_most", { max: MAX_TAGS }));
  for (const [index, tag] of tags.entries()) {
    if (tag.trim() === "") faults.add(pointer("tags", index), "field.required", say("tag_character"));
    checkText(tag, pointer("tags", index), MAX_TAG, CONTROL, faults);
  }
}

function checkText(text: string, at: string, most: number, forbidden: RegExp, faults: FieldFaults): void {
  if ([...text].length > most) faults.add(at, "field.too_long", say("at_most_characters", { max: most }));
  if (forbidden.test(text)) faults.add(at, "field.invalid", say("control_character"));
}

/** In its canonical form. */
export function readLocale(text: string, faults: FieldFaults): string {
  const locale = supportedLocale(text);
  if (locale === undefined) faults.add("/locale", "field.invalid", LOCALE_RULE);
  return locale ?? text;
}

export function readTimezone(text: string, faults: FieldFaults): string {
  const zone = timeZoneOf(text);
  if (zone === undefined)
    faults.add("/timezone", "field.invalid", say("time_zone_iana_database_europe_berlin"));
  return zone ?? text;
}
