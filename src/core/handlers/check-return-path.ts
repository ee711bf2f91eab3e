import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CheckReturnPathRequest,
  CheckReturnPathResponseSchema,
} from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import type { ReturnPaths } from "../../message/bounces/return-path.ts";
import { fault } from "../../shared/fault.ts";
import { isComplaintAddress } from "../complaint-address.ts";

export interface CheckReturnPathOptions {
  /** undefined: there is no domain of return paths. */
  readonly returnPaths: ReturnPaths | undefined;
  readonly bounceDomain: string | undefined;
}

/** The signature alone decides: whether the message is still there is for the report to find out. */
export function createCheckReturnPath({ returnPaths, bounceDomain }: CheckReturnPathOptions) {
  return async ({
    returnPath,
  }: CheckReturnPathRequest): Promise<MessageInitShape<typeof CheckReturnPathResponseSchema>> => {
    const known = returnPaths?.decode(returnPath) !== undefined;
    if (known || isComplaintAddress(returnPath, bounceDomain)) return {};
    throw fault("return_path.unknown");
  };
}
