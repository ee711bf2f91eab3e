import { faultCodes } from "../../contracts/common/fault-codes.ts";
import { ConfigError } from "../settings.ts";
import { Fault, type FieldProblem, type ResourceUser } from "../shared/fault.ts";
import { StartupError } from "../shared/startup-error.ts";
import { InputError } from "./input/read-options.ts";
import { printable } from "./output/text.ts";
import { PartialFailure } from "./put-each.ts";

export interface Failure {
  readonly exitCode: 1 | 2;
  /** For people, without the last line break. */
  readonly text: string;
  /** For programs: `error` in the output of `--json`. */
  readonly json: {
    readonly code: string;
    readonly message: string;
    readonly errors: readonly Omit<FieldProblem, "params">[];
    /** Present revision, when the change is based on another one. */
    readonly revision?: string;
    /** Resources that use the one to remove, and their number; missing when there are none. */
    readonly used_by?: readonly ResourceUser[];
    readonly used_by_count?: number;
  };
}

/** Describes an error of a command. */
export function describeFailure(thrown: unknown, coreAddress: () => string): Failure {
  if (thrown instanceof ConfigError || thrown instanceof StartupError) {
    return failure(2, "settings.invalid", thrown.message);
  }
  if (thrown instanceof PartialFailure) {
    const { note } = thrown;
    const { text, json, ...rest } = describeFailure(thrown.thrown, coreAddress);
    return { ...rest, text: `${text}\n${note}`, json: { ...json, message: `${json.message} ${note}` } };
  }
  if (thrown instanceof InputError) return failure(1, "input.invalid", thrown.message);
  const fault = Fault.from(thrown);
  // The text of a fault of one field is the text of that field, which follows on its own line.
  const general = fault.errors.length === 1 && fault.errors[0]?.message === fault.public;
  const message = general
    ? `${faultCodes[fault.code].title}.`
    : (adviceFor(fault, coreAddress) ?? ownWords(fault));
  const { text, json, ...rest } = failure(1, fault.code, message, fault.errors.map(withoutParams));
  const { revision, use } = fault;
  const answered = { ...json, ...(revision !== undefined && { revision }) };
  if (!use) return { ...rest, text, json: answered };
  const { users, count } = use;
  const lines = users.map(({ kind, id, name }) => `\n  ${kind} ${printable(name)} (${printable(id)})`);
  const more = count > users.length ? `\n  and ${count - users.length} more` : "";
  return {
    ...rest,
    text: `${text}${lines.join("")}${more}`,
    json: { ...answered, used_by: users, used_by_count: count },
  };
}

/** The command line writes English texts, so it needs no params for translation. */
function withoutParams({ pointer, code, message }: FieldProblem) {
  return { pointer, code, message };
}

function failure(
  exitCode: 1 | 2,
  code: string,
  message: string,
  errors: Failure["json"]["errors"] = [],
): Failure {
  const lines = errors.map((entry) => `\n  ${printable(entry.pointer)}  ${printable(entry.message)}`);
  return { exitCode, text: `hermod: ${message}${lines.join("")}`, json: { code, message, errors } };
}

/** Advice for faults on which the command line knows more than the core. */
function adviceFor({ code }: Fault, coreAddress: () => string): string | undefined {
  switch (code) {
    case "core.unavailable":
      return `No Hermod core answers at ${coreAddress()}. Start one with \`hermod start\`, or set HERMOD_GRPC_ADDRESS.`;
    case "core.connection_lost":
    case "core.timeout":
      return `The Hermod core at ${coreAddress()} did not answer in time. The request may have been executed: check before you repeat it.`;
    case "auth.caller_invalid":
      return `The Hermod core at ${coreAddress()} does not accept the token. Set HERMOD_GRPC_TOKEN, or HERMOD_DATA_DIR to the folder that the core uses.`;
    case "auth.caller_forbidden":
      return `The Hermod core at ${coreAddress()} requires the operator's token for this command. Set HERMOD_GRPC_TOKEN, or HERMOD_DATA_DIR to the folder that the core uses.`;
    case "silence.unconfirmed":
      return "These conditions match nearly every alert. Add --confirm or more conditions. Nothing was added or changed.";
    case "resource.in_use":
      return "Other resources use it. Change them first, or remove it with --force if the command has this option: they then stop working. Nothing was changed.";
    case "queue.hold_unknown":
      return "No hold has this selection. `hermod queue list` shows the holds of the operator, and `hermod policy waiting` those of a policy.";
    case "account.unknown":
      return "The account does not exist, or there are several accounts. Name one with --account.";
    default:
      return undefined;
  }
}

/** The public text of an unexpected fault has no details; the operator sees them here. */
function ownWords(fault: Fault): string {
  return printable(fault.code === "internal.error" ? `Internal error: ${fault.message}` : fault.public);
}
