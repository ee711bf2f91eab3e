import type { DescMethod } from "@bufbuild/protobuf";
import { fault, validationFault } from "../../shared/fault.ts";
import { type CallerRole, mayCall } from "./caller-roles.ts";

/**
 * Whether a caller may make this call: its role must be among those of the method, and who is not the operator names
 * the account that it asks for.
 * @throws Fault auth.caller_forbidden, request.validation_failed
 */
export function checkCaller(role: CallerRole, method: DescMethod, request: unknown): void {
  checkRole(role, method);
  if (role !== "operator") requireAccount(method, request);
}

/** @throws Fault auth.caller_forbidden when the role is not among those of the method */
export function checkRole(role: CallerRole, method: DescMethod): void {
  if (role === "operator" || mayCall(role, `/${method.parent.typeName}/${method.name}`)) return;
  throw fault("auth.caller_forbidden", {
    public: `${method.name} is not for callers with the token of a ${roleNames[role]}.`,
  });
}

/** @throws Fault request.validation_failed when a request can name an account, and does not */
export function requireAccount(method: DescMethod, request: unknown): void {
  if (method.methodKind !== "unary" || method.input.field.accountId === undefined) return;
  const { accountId } = request as { readonly accountId?: string };
  if (accountId) return;
  const message = "Name the account: only the operator's token may leave it out.";
  throw validationFault([{ pointer: "/account_id", code: "field.required", message }]);
}

const roleNames: Record<Exclude<CallerRole, "operator">, string> = {
  front_end: "front end",
  worker: "worker",
};
