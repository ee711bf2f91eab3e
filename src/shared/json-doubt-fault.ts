import type { FieldFault } from "./fault.ts";
import { say } from "./fault-text.ts";
import type { JsonDoubt, JsonDoubtKind } from "./scan-json.ts";

const faultOfKind = {
  duplicateKey: {
    code: "field.duplicate",
    message: say("key_stands_twice_object_two_meant"),
  },
  prototypeKey: {
    code: "field.name_not_allowed",
    message: say("key_name_not_accepted_programs_take"),
  },
  inexactNumber: {
    code: "field.number_inexact",
    message: say("number_cannot_held_written_more_digits"),
  },
} as const satisfies Record<JsonDoubtKind, Pick<FieldFault, "code" | "message">>;

export type JsonDoubtCode = (typeof faultOfKind)[JsonDoubtKind]["code"];

/** Fault for ambiguous JSON text. */
export function jsonDoubtFault({ kind, pointer }: JsonDoubt): FieldFault & { readonly code: JsonDoubtCode } {
  return { pointer, ...faultOfKind[kind] };
}
