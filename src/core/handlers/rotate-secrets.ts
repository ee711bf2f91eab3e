import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RotateSecretsRequest,
  RotateSecretsResponseSchema,
} from "../../../gen/hermod/secret/v1/secret_service_pb.ts";
import { validationFault } from "../../shared/fault.ts";
import type { RotationPlace } from "../../store/sealing/rotate-secrets.ts";
import type { Store } from "../../store/store.ts";

const PAGE_TOKEN = /^(\d):(.*)$/;

/** Encrypts the next few documents with the first key. Nothing is kept between two calls: the token says it all. */
export function createRotateSecrets({
  store: { secretRotation: rotation },
}: {
  readonly store: Pick<Store, "secretRotation">;
}) {
  return async ({
    pageToken,
  }: RotateSecretsRequest): Promise<MessageInitShape<typeof RotateSecretsResponseSchema>> => {
    const { next, seen, sealed, failures } = await rotation.step(readPlace(pageToken));
    return {
      keyId: rotation.keyId,
      ...(pageToken === "" && { total: BigInt(await rotation.total()) }),
      seen,
      encrypted: sealed,
      failures: [...failures],
      nextPageToken: next === undefined ? "" : `${next.collection}:${next.afterId}`,
    };
  };
}

/** @throws Fault request.validation_failed */
function readPlace(pageToken: string): RotationPlace {
  if (pageToken === "") return { collection: 0, afterId: "" };
  const [, collection, afterId = ""] = PAGE_TOKEN.exec(pageToken) ?? [];
  if (collection !== undefined) return { collection: Number(collection), afterId };
  const message = "A page token is the next_page_token of an earlier answer.";
  throw validationFault([{ pointer: "/page_token", code: "field.invalid", message }]);
}
