import { newIdInBucket } from "../../dist/src/shared/ids.js";

export const WORDS =
  "your order has shipped receipt invoice reset password welcome news payment failed reminder".split(" ");

/**
 * A message as customers send them, in this state; the rest of what is stored of one does not depend on it.
 * @param {number} number @param {Date} at @param {string} state
 */
export function sampleMessage(number, at, state) {
  const bucket = (number * 40_503) % 65_536;
  const _id = newIdInBucket("msg", at, bucket);
  const recipientDomain = `mail${number % 2_003}.example`;
  return {
    _id,
    bucket,
    traceId: _id.replace("msg", "sx"),
    operation: "email.send",
    source: number % 3 === 0 ? "smtp" : "http",
    state,
    from: `${WORDS[number % 5]}@shop${number % 7}.example`,
    recipientDomain,
    recipient: `person${(number * 7_919) % 500_009}.${WORDS[number % 13]}@${recipientDomain}`,
    subject: `${WORDS[number % 13]} ${WORDS[(number >> 3) % 13]} ${WORDS[(number >> 6) % 13]} ${number % 100_000}`,
    policy: number % 1_000 === 999 ? "rare" : "default",
    contentId: _id.replace("msg", "cnt"),
    sizeBytes: 4_096,
    headerMessageId: `<${_id}@shop.example>`,
    notDelivered: [],
    tags: [`tag${number % 20}`, "all"],
    metadata: { order: String(number) },
    ...(state === "bounced" && { category: number % 2 ? "invalid_mailbox" : "spam" }),
    partition: number % 64,
    priority: "transactional",
    createdAt: at,
    updatedAt: at,
  };
}
