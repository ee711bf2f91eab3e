import type { FieldFault } from "./fault.ts";
import type { JsonDoubt, JsonDoubtKind } from "./scan-json.ts";

const faultOfKind = {
  duplicateKey: {
    code: "field.duplicate",
    message: "The key stands twice in its object: which of the two is meant cannot be told.",
  },
  prototypeKey: {
    code: "field.name_not_allowed",
    message: "A key of this name is not accepted: programs take it for more than a field.",
  },
  inexactNumber: {
    code: "field.number_inexact",
    message:
      "The number cannot be held as it is written: it has more digits than a double holds, or is beyond 2^53 - 1. Send it as a string.",
  },
} as const satisfies Record<JsonDoubtKind, Pick<FieldFault, "code" | "message">>;

export type JsonDoubtCode = (typeof faultOfKind)[JsonDoubtKind]["code"];

/** What a caller is told of a doubt about JSON text. */
export function jsonDoubtFault({ kind, pointer }: JsonDoubt): FieldFault & { readonly code: JsonDoubtCode } {
  return { pointer, ...faultOfKind[kind] };
}
