import { Problem } from "../api/problem.ts";
import { faultText } from "../texts/fault-text.ts";
import { Answer } from "./answer.tsx";
import { detailOf, FieldFaults, TraceId } from "./problem-notice.tsx";

interface FormFaultProps {
  readonly error: Error | null;
  /** Text for an error that is no response of Hermod. */
  readonly otherwise?: string;
}

/** Shows, above the button of a form, the reason why it was refused. */
export function FormFault({ error, otherwise }: FormFaultProps) {
  if (!error) return null;
  const problem = error instanceof Problem ? error : undefined;
  return (
    <Answer tone="bad" role="alert">
      <p>{problem ? detailOf(problem) : (otherwise ?? error.message)}</p>
      <FieldFaults problem={problem} />
      <TraceId problem={problem} />
    </Answer>
  );
}

/**
 * Fields with errors in a response, by their names in a form: `/senders/0` is `senders`.
 * @returns empty if no field has an error
 */
export function fieldFaults(error: Error): Record<string, string> {
  if (!(error instanceof Problem)) return {};
  return Object.fromEntries(
    error.errors
      .toReversed()
      .map((fault) => [fault.pointer.split("/")[1] ?? "", faultText(fault, fault.message)]),
  );
}

/** The text of the fault at a JSON pointer in the request; undefined if there is none. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  const fault = error instanceof Problem ? error.errors.find((one) => one.pointer === pointer) : undefined;
  return fault && faultText(fault, fault.message);
}
