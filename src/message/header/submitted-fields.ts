// biome-ignore-all lint/suspicious/noControlCharactersInRegex: finding control characters is what this file is for.

import { say } from "../../shared/fault-text.ts";
import type { SourceField } from "../dkim/header-block.ts";
import { isDateTime } from "./date-time.ts";
import { fieldValue } from "./source-headers.ts";
import { type SourceFault, sourceFault } from "./source-lines.ts";

/** Fields that RFC 5322 section 3.6 allows once: of two, readers choose differently. */
const ONCE = new Set([
  "bcc",
  "cc",
  "date",
  "from",
  "in-reply-to",
  "message-id",
  "references",
  "reply-to",
  "sender",
  "subject",
  "to",
]);
/** Control characters except TAB, and the CR and LF of folds. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const MAX_NAME_SHOWN = 40;
const COLON = 0x3a;

/** Ambiguities of a header, regardless of the values of its fields. */
export function checkSubmittedFields(fields: readonly SourceField[]): SourceFault | undefined {
  const seen = new Set<string>();
  for (const { name, bytes } of fields) {
    const shown = bytes.toString("latin1", 0, Math.min(name.length, MAX_NAME_SHOWN));
    // RFC 5322 section 4.5 accepts it as obsolete; some readers treat it as another field, or as none.
    if (bytes[name.length] !== COLON) return sourceFault(say("white_space_between_colon", { name: shown }));
    if (CONTROL.test(bytes.toString("latin1")))
      return sourceFault(say("field_control_character", { name: shown }));
    if (ONCE.has(name) && seen.has(name)) return sourceFault(say("several_fields", { name: shown }));
    seen.add(name);
    if ((name === "date" || name === "resent-date") && !isDateTime(fieldValue({ name, bytes }))) {
      return sourceFault(say("no_date_rfc_5322_section_3", { name: shown }));
    }
  }
  return undefined;
}
