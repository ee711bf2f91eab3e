import type { ResourceUse } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { printable } from "./text.ts";

/** The option of commands that remove what others may use. */
export const FORCE = ["--force", "remove it although others use it; they stop working"] as const;

/** Resources that a forced removal has stopped, in the answer of a command. */
export function withUse(use: ResourceUse | undefined, json: object, text: string) {
  if (!use) return { json, text: () => text };
  const users = use.users.map(({ kind, id, name }) => ({ kind, id, name }));
  const named = users.map(({ kind, id, name }) => `\n  ${kind} ${printable(name)} (${printable(id)})`);
  const more = use.count - users.length;
  const rest = more > 0 ? `\n  and ${more} more` : "";
  return {
    json: { ...json, used_by: users, used_by_count: use.count },
    text: () => `${text}\nThese stop working without it:${named.join("")}${rest}`,
  };
}
