import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  WebhookSchema,
  WebhookSettingsSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { algorithmOf, verifierOf } from "../../shared/webhook-signature.ts";
import type { VersionedWebhook, WebhookEndpointDocument } from "../../store/webhook-documents.ts";

/** An endpoint in answers, without secrets and without header values. */
export function toWebhook(
  endpoint: WebhookEndpointDocument,
  failingSince?: Date,
): MessageInitShape<typeof WebhookSchema> {
  const { _id: id, accountId, secrets, version, disabled, createdAt, updatedAt, revision } = endpoint;
  return {
    id,
    accountId,
    version,
    revision,
    settings: toWebhookSettings(endpoint),
    ...(disabled && {
      disabled: { at: timestampFromDate(disabled.at), reason: disabled.reason, detail: disabled.detail },
    }),
    secrets: secrets.map((secret) => ({
      ...shownOf(secret.secret),
      createdAt: timestampFromDate(secret.createdAt),
      ...(secret.expiresAt && { expiresAt: timestampFromDate(secret.expiresAt) }),
    })),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    ...(failingSince && { failingSince: timestampFromDate(failingSince) }),
  };
}

/** Settings in answers, without header values. */
export function toWebhookSettings(
  settings: VersionedWebhook,
): MessageInitShape<typeof WebhookSettingsSchema> {
  const { url, description, types = [], tags = [], policies = [], ordered = false } = settings;
  const { ratePerSecond, headers } = settings;
  return {
    url,
    description,
    types: [...types],
    tags: [...tags],
    policies: [...policies],
    ordered,
    ...(ratePerSecond !== undefined && { ratePerSecond }),
    headers: headers.map(({ name }) => ({ name })),
  };
}

/** Public facts about a secret. */
function shownOf(secret: string) {
  const algorithm = algorithmOf(secret);
  return { algorithm, ...(algorithm === "ed25519" && { publicKey: verifierOf(secret) }) };
}
