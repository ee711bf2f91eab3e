import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReplaceKeyAccessRequest,
  ReplaceKeyAccessResponseSchema,
} from "../../../gen/hermod/access/v1/key_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { KeyDocument } from "../../store/documents.ts";
import { requireKeyGrant } from "../access/grants.ts";
import { createFieldFaults, type FieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toKey } from "../to-proto.ts";
import { type KeyAccess, readAccess } from "./read-access.ts";
import { MAX_OVERLAP_SECONDS, type RotateKeyOptions, requireValid, unknownKey } from "./rotate-key.ts";

/**
 * Replaces the access of a key. A member cannot grant a scope that its role does not include. Mail that the key
 * submitted before is still sent, because it was accepted with the access of that time.
 *
 * @throws Fault account.unknown, key.unknown, key.not_active, key.grant_exceeded, auth.reauthentication_required,
 *   request.validation_failed, resource.stale
 */
export function createReplaceKeyAccess({ store, authenticator, clock }: RotateKeyOptions) {
  return async (
    request: ReplaceKeyAccessRequest,
    { principal, audit }: Pick<HandlerContext, "principal" | "audit">,
  ): Promise<MessageInitShape<typeof ReplaceKeyAccessResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const now = clock.now();
    const replace = (key: KeyDocument): KeyDocument => {
      requireValid(key, now);
      const faults = createFieldFaults();
      const access = readAccess(request, { kind: key.kind, now, faults });
      if (access) checkOverlap(access, key, faults);
      if (!access || faults.found.length > 0) throw validationFault(faults.found);
      requireKeyGrant(principal, access);
      const { expiresAt: _, ...kept } = key;
      return { ...kept, ...access };
    };
    const changed = await account.keys.change(request.key, replace, audit, request.ifRevision);
    if (!changed) throw unknownKey(request.key);
    authenticator.forget();
    return { key: toKey(changed, now) };
  };
}

/** The overlap of a replaced key can be extended, but not without limit. */
function checkOverlap(
  { expiresAt }: KeyAccess,
  { supersededAt }: Pick<KeyDocument, "supersededAt">,
  faults: FieldFaults,
): void {
  if (!supersededAt) return;
  const latest = new Date(supersededAt.getTime() + MAX_OVERLAP_SECONDS * 1_000);
  if (expiresAt && expiresAt <= latest) return;
  const message = say("overlap_until", { at: latest.toISOString() });
  faults.add("/expires_at", "field.invalid", message);
}
