import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateTargetRequest,
  CreateTargetResponseSchema,
  DeleteTargetRequest,
  DeleteTargetResponseSchema,
  ReplaceTargetRequest,
  ReplaceTargetResponseSchema,
  RotateTargetSecretRequest,
  RotateTargetSecretResponseSchema,
} from "../../../gen/hermod/target/v1/target_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { newWebhookSecret, verifierOf } from "../../shared/webhook-signature.ts";
import type { AccountStore } from "../../store/store.ts";
import type { TargetDocument } from "../../store/target-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { readTarget, readTargetKind } from "./read-target.ts";
import { toTarget } from "./target-to-proto.ts";

export type TargetNeeds = Pick<Dependencies, "store" | "clock" | "policyBounds" | "postSample">;
type Context = Pick<HandlerContext, "audit">;

const DAY_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS;

/** @throws Fault account.unknown, request.validation_failed, alert_target.exists, alert_target.too_many */
export function createCreateTarget({ store, clock, policyBounds }: TargetNeeds) {
  return async (
    request: CreateTargetRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof CreateTargetResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const at = clock.now();
    const kind = readTargetKind(request.kind);
    const chosen = readTarget(kind, request.settings, policyBounds, at);
    const secret = kind === "webhook" ? newWebhookSecret() : undefined;
    const target = await account.targets.add(
      {
        _id: newId("atg", at),
        kind,
        ...chosen,
        secrets: secret === undefined ? [] : [{ secret, createdAt: at }],
        createdAt: at,
        updatedAt: at,
        revision: 1,
      },
      audit,
    );
    return { target: toTarget(target), secret: secret === undefined ? "" : verifierOf(secret) };
  };
}

/** @throws Fault account.unknown, request.validation_failed, alert_target.unknown, alert_target.exists, resource.stale */
export function createReplaceTarget({ store, clock, policyBounds }: TargetNeeds) {
  return async (
    request: ReplaceTargetRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof ReplaceTargetResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const at = clock.now();
    return change(account, request, { audit }, (former) => ({
      ...former,
      ...readTarget(former.kind, request.settings, policyBounds, at, former),
    }));
  };
}

/** @throws Fault account.unknown, request.validation_failed, alert_target.unknown, alert_target.no_secret */
export function createRotateTargetSecret({ store, clock }: TargetNeeds) {
  return async (
    request: RotateTargetSecretRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof RotateTargetSecretResponseSchema>> => {
    const { overlapSeconds = DAY_SECONDS } = request;
    if (overlapSeconds > MAX_OVERLAP_SECONDS) {
      const message = say("former_secret_overlap", { max: MAX_OVERLAP_SECONDS });
      throw validationFault([{ pointer: "/overlap_seconds", code: "field.invalid", message }]);
    }
    const account = await resolveAccount(store, request);
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + overlapSeconds * 1_000);
    const secret = newWebhookSecret();
    const changed = await change(account, { id: request.id, ifRevision: "" }, { audit }, (former) => {
      const [current] = former.secrets;
      if (!current) throw fault("alert_target.no_secret");
      // An older secret that still signs expires now, because a request has at most two signatures.
      const kept = overlapSeconds > 0 ? [{ ...current, expiresAt }] : [];
      return { ...former, secrets: [{ secret, createdAt }, ...kept] };
    });
    return { ...changed, secret: verifierOf(secret) };
  };
}

/** @throws Fault account.unknown, alert_target.unknown, resource.in_use, resource.stale */
export function createDeleteTarget({ store }: TargetNeeds) {
  return async (
    request: DeleteTargetRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof DeleteTargetResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { id, ifRevision } = request;
    const target = await account.targets.find(id);
    if (!target) throw fault("alert_target.unknown");
    const removal = createRemoval({ kind: "alert_target", name: target.name }, request);
    if (!(await account.targets.remove(id, audit, removal.check, ifRevision)))
      throw fault("alert_target.unknown");
    return removal.answer();
  };
}

async function change(
  account: Pick<AccountStore, "targets" | "targetDeliveries">,
  { id, ifRevision }: { readonly id: string; readonly ifRevision: string },
  { audit }: Context,
  make: (former: TargetDocument) => TargetDocument,
) {
  const changed = await account.targets.change(id, make, audit, ifRevision);
  if (!changed) throw fault("alert_target.unknown");
  const queues = await account.targetDeliveries.queuesOf([id]);
  return { target: toTarget(changed, queues.get(id)) };
}
