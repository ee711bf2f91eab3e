import { validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { TemplateState } from "../../store/template-store.ts";

/** Name of the test data among the data sets. */
export const DEFAULT_SET = "default";
export const MAX_SET_NAME_LENGTH = 60;

/**
 * JSON of the data with which a request renders a template.
 * @throws Fault request.validation_failed
 */
export function findData(
  { head }: TemplateState,
  { dataJson, dataSet }: { readonly dataJson?: string | undefined; readonly dataSet: string },
): string {
  if (dataSet === "") return dataJson ?? head?.testData ?? "{}";
  if (dataJson !== undefined) throw refused(say("data_or_data_set"));
  if (dataSet === DEFAULT_SET) return head?.testData ?? "{}";
  const found = head?.dataSets?.find(({ name }) => name === dataSet);
  if (found) return found.data;
  const name = dataSet.slice(0, MAX_SET_NAME_LENGTH).toWellFormed();
  throw refused(say("no_data_set", { name }));
}

function refused(message: FaultText) {
  return validationFault([{ pointer: "/data_set", code: "field.invalid", message }]);
}
