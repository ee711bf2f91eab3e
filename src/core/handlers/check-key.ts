import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CheckKeyRequest,
  CheckKeyResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import { type FieldFault, validationFault } from "../../shared/fault.ts";
import type { KeyKind } from "../../store/documents.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import { knownScopes } from "../access/scopes.ts";
import type { HandlerContext } from "../handler-context.ts";

const kinds: readonly KeyKind[] = ["account", "deliverability", "smtp"];

export function createCheckKey({ authenticator }: { readonly authenticator: KeyAuthenticator }) {
  return async (
    request: CheckKeyRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof CheckKeyResponseSchema>> => {
    const kind = kinds.find((one) => one === request.kind);
    const scope = knownScopes.find((one) => one === request.scope);
    const faults: FieldFault[] = [];
    if (!kind)
      faults.push({ pointer: "/kind", code: "field.invalid", message: "There is no such kind of key." });
    if (!scope) faults.push({ pointer: "/scope", code: "field.invalid", message: "There is no such scope." });
    if (!kind || !scope) throw validationFault(faults);
    const clientAddress = request.clientAddress || context.peerAddress;
    const key = await authenticator.authenticate(request.apiKey, { kind, scope, clientAddress });
    return { keyId: key._id, accountId: key.accountId };
  };
}
