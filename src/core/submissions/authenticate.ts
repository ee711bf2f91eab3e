import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AuthenticateRequest,
  AuthenticateResponseSchema,
  CheckSenderRequest,
  Credential,
  FindSubmissionRequest,
  FindSubmissionResponseSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isSubmissionId, submittedIds } from "../../shared/ids.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import type { VerifySender } from "../access/verify-sender.ts";
import { readMailFrom } from "./read-envelope.ts";

/** Verifies a sending key and its password (SMTP AUTH). */
export function createAuthenticate({ authenticate }: { readonly authenticate: AuthenticateSubmitter }) {
  return async (
    { credential }: AuthenticateRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof AuthenticateResponseSchema>> => {
    const key = await authenticate(credential, context);
    return { accountId: key.accountId, keyId: key._id };
  };
}

export interface CheckSenderOptions {
  readonly authenticate: AuthenticateSubmitter;
  readonly verifySender: VerifySender;
}

/** Checks whether the key may send from an address (MAIL FROM). */
export function createCheckSender({ authenticate, verifySender }: CheckSenderOptions) {
  return async ({ credential, address }: CheckSenderRequest, context: HandlerContext) => {
    const key = await authenticate(credential, context);
    await verifySender(readMailFrom(address), key);
    return {};
  };
}

export interface FindSubmissionOptions {
  readonly authenticate: AuthenticateSubmitter;
  readonly store: Pick<Store, "forAccount">;
}

/** Finds a stored submission. Either all of its messages are stored or none, so that one of them is sufficient. */
export function createFindSubmission({ authenticate, store }: FindSubmissionOptions) {
  return async (
    { credential, submissionId }: FindSubmissionRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof FindSubmissionResponseSchema>> => {
    const { accountId } = await authenticate(credential, context);
    const { messages } = store.forAccount(accountId);
    const message = isSubmissionId(submissionId)
      ? await messages.findSubmitted(submittedIds(submissionId, accountId).firstPrefix)
      : undefined;
    if (!message) throw fault("message.unknown");
    return { traceId: message.traceId };
  };
}

/**
 * Authenticates a sending key. It is called for every request, so that a revoked key stops working in open sessions.
 * @throws Fault auth.* or store.unavailable
 */
export type AuthenticateSubmitter = (
  credential: Credential | undefined,
  context: Pick<HandlerContext, "peerAddress">,
  /** The key submits a message, which counts as a use. */
  isOperation?: boolean,
) => Promise<KeyDocument>;

export function createAuthenticateSubmitter(authenticator: KeyAuthenticator): AuthenticateSubmitter {
  return async (credential, { peerAddress }, isOperation = false) => {
    const { username = "", password = "", clientAddress = "" } = credential ?? {};
    try {
      return await authenticator.authenticate(username, {
        kind: "smtp",
        scope: "email.send",
        clientAddress: clientAddress || peerAddress,
        surface: clientAddress === "" ? "grpc" : "smtp",
        isOperation,
        password,
      });
    } catch (error) {
      // The same answer for both, so that the answer does not reveal which of them is wrong.
      if (!(error instanceof Fault) || error.code !== "auth.key_invalid") throw error;
      throw fault("auth.key_invalid", {
        public: say("sending_key_password_not_right_key"),
      });
    }
  };
}
