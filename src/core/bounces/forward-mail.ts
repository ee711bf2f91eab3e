import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ForwardMailRequest,
  ForwardMailResponseSchema,
} from "../../../gen/hermod/bounce/v1/bounce_service_pb.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { MAX_ROLE_MAIL_BYTES, roleAddress } from "../../message/dsn/role-address.ts";
import { countFields } from "../../message/header/count-fields.ts";
import { receivedField } from "../../message/header/received-field.ts";
import { fieldValue, findBody, readSourceHeaders } from "../../message/header/source-headers.ts";
import { checkLines } from "../../message/header/source-lines.ts";
import { readableText } from "../../message/header/submitted-header.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { bucketOfNames, newIdInBucket } from "../../shared/ids.ts";
import type { Logger } from "../../shared/logger.ts";
import { FORWARD } from "../../shared/operations.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import { SYSTEM_ACCOUNT } from "../../shared/system-account.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import type { Intake } from "../send/intake.ts";

export interface ForwardMailOptions {
  readonly settings: Pick<AccountSettings, "policy">;
  readonly intake: Pick<Intake, "store">;
  readonly partitionOf: PartitionOf;
  readonly bounceDomain: string | undefined;
  /** Address to which mail to the role addresses is forwarded; undefined: it is refused. */
  readonly postmasterAddress: string | undefined;
  readonly maxHops: number;
  readonly contentRetentionMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const MAX_MESSAGE_ID_LENGTH = 998;

/**
 * Stores mail to postmaster and abuse as a message of the system account to the operator's address: octet for octet,
 * with its trace fields on top. It is sent from a return path of the installation, because it may not be sent from
 * another domain (SPF). Mail from the null sender keeps the null sender, so that a bounce is never answered with a
 * bounce.
 */
export function createForwardMail(options: ForwardMailOptions) {
  const { settings, intake, bounceDomain, postmasterAddress: recipient, clock, log } = options;
  const { partitionOf } = options;

  /** @throws Fault message.too_large, message.malformed, message.looping */
  function readHeader(source: Buffer, to: readonly string[]) {
    if (source.length > MAX_ROLE_MAIL_BYTES) {
      throw fault("message.too_large", {
        public: say("mail_address_octets_most", { max: MAX_ROLE_MAIL_BYTES }),
      });
    }
    const malformed = checkLines(source);
    if (malformed) throw fault("message.malformed", { public: malformed.message });
    const bodyAt = findBody(source);
    const header = readSourceHeaders(source.subarray(0, bodyAt === -1 ? source.length : bodyAt));
    if (!header.ok) throw fault("message.malformed", { public: header.message });
    const values = (name: string) => header.fields.filter((field) => field.name === name).map(fieldValue);
    const wasHere = values("delivered-to").some((value) => to.includes(value.toLowerCase()));
    if (wasHere || countFields(source, "received") >= options.maxHops) {
      throw fault("message.looping", {
        public: say("message_here_before_passed_too_many"),
      });
    }
    return {
      subject: readableText(values("subject")[0] ?? ""),
      messageId: values("message-id")[0] || undefined,
    };
  }

  return async (
    { recipients, mailFrom, source: bytes, ...passage }: ForwardMailRequest,
    { traceId }: Pick<HandlerContext, "traceId">,
  ): Promise<MessageInitShape<typeof ForwardMailResponseSchema>> => {
    const to = recipients.flatMap((address) => roleAddress(address, bounceDomain) ?? []);
    const [first] = to;
    if (!recipient || !first || to.length < recipients.length) throw fault("return_path.unknown");
    const original = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { subject, messageId } = readHeader(original, to);
    const policy = await settings.policy(SYSTEM_ACCOUNT, undefined);
    if (!policy) throw fault("internal.error", { internal: "the system account has no policy" });

    const now = clock.now();
    const bucket = bucketOfNames(traceId);
    const id = newIdInBucket("msg", now, bucket);
    const trace = [
      ...to.map((address) => `Delivered-To: ${address}\r\n`),
      receivedField({ ...passage, id: traceId, at: now, ...(to.length === 1 && { recipient: first }) }),
    ];
    const source = Buffer.concat([Buffer.from(trace.join("")), original]);
    const accountId = SYSTEM_ACCOUNT;
    const recipientDomain = domainOf(recipient);
    const contentId = id.replace("msg", "cnt");
    const sizeBytes = source.length;
    await intake.store({
      content: {
        id: contentId,
        accountId,
        body: { kind: "raw", source },
        sizeBytes,
        createdAt: now,
        expireAt: new Date(now.getTime() + options.contentRetentionMs),
      },
      message: {
        _id: id,
        bucket,
        accountId,
        keyId: "",
        traceId,
        operation: FORWARD,
        source: "system",
        state: "queued",
        from: first,
        ...(mailFrom === "" && { envelopeFrom: "" }),
        recipient,
        recipientDomain,
        notDelivered: [],
        subject,
        policy: policy.name,
        contentId,
        sizeBytes,
        headerMessageId: (messageId ?? `<${id}@${domainOf(first)}>`).slice(0, MAX_MESSAGE_ID_LENGTH),
        tags: [],
        metadata: {},
        partition: partitionOf(accountId, policy.name, recipientDomain),
        priority: policy.priority ?? "transactional",
        attempts: 0,
        nextAttemptAt: now,
        createdAt: now,
        updatedAt: now,
      },
    });
    log.info({ to, messageId: id, traceId, remoteAddress: passage.clientAddress }, "mail for the operator");
    return { traceId, messageId: id };
  };
}
