import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CheckReturnPathRequest,
  CheckReturnPathResponseSchema,
} from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { sameAddress } from "../../message/address/addresses.ts";
import type { ReturnPaths } from "../../message/dsn/return-path.ts";
import { roleAddress } from "../../message/dsn/role-address.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { FindReported } from "./report-aggregates.ts";

export interface CheckReturnPathOptions {
  /** undefined: there is no domain of return paths. */
  readonly returnPaths: ReturnPaths | undefined;
  readonly bounceDomain: string | undefined;
  readonly findReported: FindReported;
  /** Whether mail to postmaster and abuse is forwarded. */
  readonly readsRoles: boolean;
}

/**
 * Only the signature decides: the report itself shows whether the message still exists. Addresses for aggregate
 * reports are also checked in the store, because reporters do not learn that a domain is no longer watched.
 */
export function createCheckReturnPath(options: CheckReturnPathOptions) {
  const { returnPaths, bounceDomain, findReported, readsRoles } = options;
  return async ({
    returnPath,
  }: CheckReturnPathRequest): Promise<MessageInitShape<typeof CheckReturnPathResponseSchema>> => {
    const known = returnPaths?.decode(returnPath) !== undefined;
    if (known || isComplaintAddress(returnPath, bounceDomain)) return {};
    if (await findReported(returnPath)) return {};
    if (roleAddress(returnPath, bounceDomain) === undefined) throw fault("return_path.unknown");
    if (readsRoles) return {};
    throw fault("return_path.unknown", { public: say("nobody_reads_mail_postmaster_abuse_here") });
  };
}

/**
 * True for the only address of feedback loops. They send all reports to one address, and name the return path of the
 * message inside the report.
 */
export function isComplaintAddress(address: string, bounceDomain: string | undefined): boolean {
  return bounceDomain !== undefined && sameAddress(address, `complaints@${bounceDomain}`);
}
