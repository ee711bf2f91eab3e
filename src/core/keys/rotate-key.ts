import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RotateKeyRequest,
  RotateKeyResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Fault, fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import { requireKeyGrant } from "../access/grants.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toKey } from "../to-proto.ts";
import { freshSecret } from "./create-key.ts";

/** A replaced key stays valid for at most 30 days. */
export const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

export interface RotateKeyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly authenticator: Pick<KeyAuthenticator, "forget">;
  readonly clock: Clock;
}

/**
 * Creates a replacement for a key, which stays valid for the overlap. The new key has the expiry of the former one.
 *
 * @throws Fault account.unknown, key.unknown, key.not_active, key.grant_exceeded, auth.reauthentication_required,
 *   request.validation_failed
 */
export function createRotateKey({ store, authenticator, clock }: RotateKeyOptions) {
  return async (
    request: RotateKeyRequest,
    { principal, audit }: Pick<HandlerContext, "principal" | "audit">,
  ): Promise<MessageInitShape<typeof RotateKeyResponseSchema>> => {
    const account = await resolveAccount(store, request);
    if (request.overlapSeconds > MAX_OVERLAP_SECONDS) {
      const message = say("former_key_overlap", { max: MAX_OVERLAP_SECONDS });
      throw validationFault([{ pointer: "/overlap_seconds", code: "field.invalid", message }]);
    }
    const now = clock.now();
    const overlapEnd = new Date(now.getTime() + request.overlapSeconds * 1000);
    let shown: ReturnType<typeof freshSecret>["shown"] | undefined;
    const supersede = (former: KeyDocument) => {
      requireActive(former, now);
      requireKeyGrant(principal, former);
      const secret = freshSecret(former.kind);
      shown = secret.shown;
      const { passwordHash: _, lastUsedAt: __, lastUsedFrom: ___, lastUsedBy: ____, ...kept } = former;
      const key = { ...kept, ...secret.fields, _id: newId("key", now), createdAt: now };
      return { key, expiresAt: earlier(overlapEnd, former.expiresAt) };
    };
    const rotated = await account.keys.supersede(request.key, supersede, audit);
    if (!rotated || !shown) throw unknownKey(request.key);
    authenticator.forget();
    return { key: toKey(rotated.key, now), ...shown, former: toKey(rotated.former, now) };
  };
}

export function unknownKey(key: string): Fault {
  return fault("key.unknown", { public: say("no_key", { key }) });
}

/** @throws Fault key.not_active for a key that was already rotated, or is no longer valid */
function requireActive(key: KeyDocument, now: Date): void {
  if (key.supersededAt && !key.revokedAt) throw notActive("key_rotated");
  requireValid(key, now);
}

/** @throws Fault key.not_active for a key that is no longer valid */
export function requireValid({ revokedAt, expiresAt }: KeyDocument, now: Date): void {
  if (revokedAt) throw notActive("key_revoked");
  if (expiresAt && expiresAt <= now) throw notActive("key_over");
}

const notActive = (reason: "key_rotated" | "key_revoked" | "key_over") =>
  fault("key.not_active", { public: say(reason) });

function earlier(one: Date, other: Date | undefined): Date {
  return other && other < one ? other : one;
}
