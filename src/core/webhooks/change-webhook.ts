import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateWebhookRequest,
  CreateWebhookResponseSchema,
  DeleteWebhookRequest,
  DeleteWebhookResponseSchema,
  DisableWebhookRequest,
  DisableWebhookResponseSchema,
  EnableWebhookRequest,
  EnableWebhookResponseSchema,
  ReplaceWebhookRequest,
  ReplaceWebhookResponseSchema,
  RotateWebhookSecretRequest,
  RotateWebhookSecretResponseSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { PAYLOAD_VERSION } from "../../events/webhook-payload.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, MAX_LISTED_USERS, type ResourceUse, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import {
  algorithmOf,
  newWebhookSecret,
  verifierOf,
  webhookAlgorithms,
} from "../../shared/webhook-signature.ts";
import type { AccountStore } from "../../store/store.ts";
import {
  disabledPhrase,
  type WebhookDisabled,
  type WebhookEndpointDocument,
} from "../../store/webhook-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createRemoval } from "../resource-use.ts";
import { type ChosenSettings, readSettings } from "./read-settings.ts";
import { toWebhook } from "./webhook-to-proto.ts";

export type WebhookNeeds = Pick<Dependencies, "store" | "clock" | "policyBounds">;
type Context = Pick<HandlerContext, "audit">;

const DAY_SECONDS = 86_400;
const MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS;
/** Number of pages of 1,000 deliveries that one call ends. */
const PAGES_IN_CALL = 10;

/** @throws Fault account.unknown, request.validation_failed, webhook.too_many */
export function createCreateWebhook({ store, clock, policyBounds }: WebhookNeeds) {
  return async (
    request: CreateWebhookRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof CreateWebhookResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const at = clock.now();
    const chosen = readSettings(request.settings, policyBounds, at);
    const algorithm = webhookAlgorithms.find((known) => known === (request.algorithm || "hmac-sha256"));
    if (!algorithm) {
      const message = say("one_of", { allowed: webhookAlgorithms });
      throw validationFault([{ pointer: "/algorithm", code: "field.invalid", message }]);
    }
    const secret = newWebhookSecret(algorithm);
    const endpoint = await account.webhooks.add(
      {
        _id: newId("wep", at),
        ...chosen,
        version: PAYLOAD_VERSION,
        revision: 1,
        secrets: [{ secret, createdAt: at }],
        createdAt: at,
        updatedAt: at,
      },
      audit,
    );
    return { webhook: toWebhook(endpoint), secret: verifierOf(secret) };
  };
}

/** @throws Fault account.unknown, request.validation_failed, webhook.unknown, webhook.stale */
export function createReplaceWebhook(needs: WebhookNeeds) {
  return async (
    request: ReplaceWebhookRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof ReplaceWebhookResponseSchema>> => {
    const { revision, settings } = request;
    const at = needs.clock.now();
    return changeWebhook(needs, request, { audit }, (former) => {
      if (revision !== 0) checkRevision(revision, former);
      return withSettings(former, readSettings(settings, needs.policyBounds, at, former));
    });
  };
}

/** @throws Fault account.unknown, webhook.unknown */
export function createDisableWebhook(needs: WebhookNeeds) {
  return async (
    request: DisableWebhookRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof DisableWebhookResponseSchema>> => {
    const at = needs.clock.now();
    let disabled: WebhookDisabled = { at, reason: "owner", detail: "by a member of the account" };
    const changed = await changeWebhook(needs, request, { audit }, (former) => {
      // The reason of an earlier disabling stays, also for its deliveries.
      disabled = former.disabled ?? disabled;
      return former.disabled ? former : { ...former, disabled };
    });
    const account = await resolveAccount(needs.store, request);
    // The first deliveries are ended before the answer. A worker ends the others, also if this process ends.
    await endWaiting(account, request.id, disabled, PAGES_IN_CALL);
    return changed;
  };
}

/** @throws Fault account.unknown, webhook.unknown */
export function createEnableWebhook(needs: WebhookNeeds) {
  return async (
    request: EnableWebhookRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof EnableWebhookResponseSchema>> => {
    const account = await resolveAccount(needs.store, request);
    const disabled = (await account.webhooks.find(request.id))?.disabled;
    // Enabling does not send the deliveries that waited at the time of disabling. None is added while this runs.
    if (disabled) await endWaiting(account, request.id, disabled, Number.POSITIVE_INFINITY);
    // Earlier failures no longer count.
    await account.webhookDeliveries.forgetFailures(request.id);
    return changeWebhook(needs, request, { audit }, (former) => {
      const { disabled, untold: _, ...enabled } = former;
      return disabled ? enabled : former;
    });
  };
}

async function endWaiting(
  account: Pick<AccountStore, "webhookDeliveries">,
  id: string,
  disabled: WebhookDisabled,
  mostPages: number,
): Promise<void> {
  const end = { state: "failed", at: disabled.at, endReason: disabledPhrase(disabled) } as const;
  await account.webhookDeliveries.endWaiting(id, end, mostPages);
}

/** @throws Fault account.unknown, request.validation_failed, webhook.unknown */
export function createRotateWebhookSecret(needs: WebhookNeeds) {
  return async (
    request: RotateWebhookSecretRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof RotateWebhookSecretResponseSchema>> => {
    const { overlapSeconds = DAY_SECONDS } = request;
    if (overlapSeconds > MAX_OVERLAP_SECONDS) {
      const message = say("former_secret_overlap", { max: MAX_OVERLAP_SECONDS });
      throw validationFault([{ pointer: "/overlap_seconds", code: "field.invalid", message }]);
    }
    const createdAt = needs.clock.now();
    const expiresAt = new Date(createdAt.getTime() + overlapSeconds * 1_000);
    let secret = "";
    const changed = await changeWebhook(needs, request, { audit }, (former) => {
      const [current] = former.secrets;
      secret = newWebhookSecret(current && algorithmOf(current.secret));
      // An older secret that still signs expires now, because a request has at most two signatures.
      const kept = current && overlapSeconds > 0 ? [{ ...current, expiresAt }] : [];
      return { ...former, secrets: [{ secret, createdAt }, ...kept] };
    });
    return { ...changed, secret: verifierOf(secret) };
  };
}

/** @throws Fault account.unknown, webhook.unknown, resource.in_use, webhook.stale */
export function createDeleteWebhook({ store }: WebhookNeeds) {
  return async (
    request: DeleteWebhookRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof DeleteWebhookResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const endpoint = await account.webhooks.find(request.id);
    if (!endpoint) throw fault("webhook.unknown");
    const removal = createRemoval({ kind: "webhook", name: endpoint.url }, request);
    const use = await waitingFor(account, request.id);
    removal.check(use);
    const { id, ifRevision } = request;
    if (!(await account.webhooks.remove(id, audit, use, ifRevision))) throw fault("webhook.unknown");
    return removal.answer();
  };
}

/** The endpoint with all of these settings, and no others. */
export function withSettings(
  former: WebhookEndpointDocument,
  chosen: ChosenSettings,
): WebhookEndpointDocument {
  const { types: _, tags: __, policies: ___, ordered: ____, ratePerSecond: _____, ...kept } = former;
  return { ...kept, ...chosen };
}

/** @throws Fault webhook.stale */
export function checkRevision(seen: number, { revision }: WebhookEndpointDocument): void {
  if (seen !== revision) throw fault("webhook.stale", { revision: String(revision) });
}

interface Change extends Context {
  /** Number of the version with these settings. Missing: none. */
  readonly restores?: number;
}

/** @throws Fault account.unknown, webhook.unknown */
export async function changeWebhook(
  { store }: WebhookNeeds,
  request: { readonly accountId: string; readonly id: string },
  { audit, restores }: Change,
  make: (former: WebhookEndpointDocument) => WebhookEndpointDocument,
) {
  const account = await resolveAccount(store, request);
  const changed = await account.webhooks.change(request.id, make, audit, restores);
  if (!changed) throw fault("webhook.unknown");
  const queue = await account.webhookDeliveries.findQueue(request.id);
  return { webhook: toWebhook(changed, queue?.failingSince) };
}

const MAX_COUNTED = 2 ** 31 - 1;

/** Waiting deliveries of an endpoint, which are never sent without it. */
async function waitingFor({ webhookDeliveries }: AccountStore, endpointId: string): Promise<ResourceUse> {
  const waiting = { endpointId, states: ["pending"] as const };
  // Damaged deliveries are counted, but not listed.
  const count = await webhookDeliveries.count(waiting, MAX_COUNTED);
  const users = count === 0 ? [] : await webhookDeliveries.list({ ...waiting, limit: MAX_LISTED_USERS });
  return {
    users: users.map(({ _id: id, type: name }) => ({ kind: "webhook_delivery", id, name })),
    count: Math.max(count, users.length),
  };
}
