import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type RotateSecretsRequest,
  type RotateSecretsResponseSchema,
  SecretService,
} from "../../gen/hermod/secret/v1/secret_service_pb.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { changes } from "../rpc/audits.ts";
import { type HandlerContext, OPERATOR_ONLY } from "../rpc/callers.ts";
import type { RotationPosition } from "../store/sealing/rotate-secrets.ts";
import type { Store } from "../store/store.ts";
import type { Dependencies } from "./dependencies.ts";
import { pageStartOf } from "./page.ts";

/** Secrets in the database. */
export const secrets: Area<Pick<Dependencies, "store">> = defineArea(SecretService, {
  rotateSecrets: [OPERATOR_ONLY, changes("secret.rotate"), createRotateSecrets],
});

const BEGINNING: RotationPosition = { collection: 0, afterId: "" };
const PAGE_TOKEN = /^(\d):(.*)$/;

/** Encrypts the next documents with the first key. No state is kept between two calls: the token contains it. */
export function createRotateSecrets({
  store: { secretRotation: rotation, audit: log },
}: {
  readonly store: Pick<Store, "secretRotation" | "audit">;
}) {
  return async (
    { pageToken }: RotateSecretsRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof RotateSecretsResponseSchema>> => {
    const position = pageStartOf(pageToken, positionIn) ?? BEGINNING;
    if (pageToken === "") {
      const target = { kind: "secret", id: rotation.keyId, name: rotation.keyId };
      await log.installation.add(audit, { target, outcome: "changed" });
    }
    const { next, seen, sealed, failures } = await rotation.step(position);
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

function positionIn(token: string): RotationPosition | undefined {
  const [, collection, afterId = ""] = PAGE_TOKEN.exec(token) ?? [];
  return collection === undefined ? undefined : { collection: Number(collection), afterId };
}
