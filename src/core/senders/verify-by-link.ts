import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ConfirmSenderRequest,
  ConfirmSenderResponseSchema,
  FindSenderLinkRequest,
  FindSenderLinkResponseSchema,
  VerifySenderRequest,
  VerifySenderResponseSchema,
} from "../../../gen/hermod/sender/v1/sender_service_pb.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { parseAddress } from "../../message/address/addresses.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { hashSecret, newLinkToken } from "../../shared/secrets.ts";
import type { SenderDocument } from "../../store/documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type Letter, nameInMail } from "../system-mail/letter.ts";
import { toSender } from "../to-proto.ts";

export type SenderNeeds = Pick<Dependencies, "store" | "settings" | "clock" | "systemMail" | "mailThrottle">;

const HOUR_MS = 3_600_000;
const LINK_MS = 24 * HOUR_MS;
/** A link can be sent again during this time; afterwards the sender is removed. */
const UNVERIFIED_MS = 7 * 24 * HOUR_MS;
/** Maximum number of senders of one account, verified or not. */
export const SENDERS_MAX = 1_000;
/** A longer token does not exist. */
const MAX_TOKEN_LENGTH = 200;

type Context = Pick<HandlerContext, "audit">;

/**
 * Sends a verification link to an address, which permits the account to send from it.
 * @throws Fault account.unknown, request.validation_failed, sender.too_many, mail.not_configured, mail.throttled
 */
export function createVerifyByLink({ store, clock, systemMail, mailThrottle }: SenderNeeds) {
  return async (
    request: VerifySenderRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof VerifySenderResponseSchema>> => {
    const address = readAddress(request.value);
    const account = await resolveAccount(store, request);
    const value = addressKey(address);
    const known = await account.senders.find(value);
    if (known?.verifiedAt) return { sender: toSender(known) };
    await systemMail.requireSetUp();
    if (!known && (await account.senders.count(SENDERS_MAX)) >= SENDERS_MAX) throw fault("sender.too_many");
    await mailThrottle.countAccount(account.id, address);
    const now = clock.now();
    const token = newLinkToken();
    const stored = await account.senders.invite(
      { _id: newId("snd", now), kind: "address", value, createdAt: now },
      {
        linkHash: hashSecret(token),
        linkExpiresAt: new Date(now.getTime() + LINK_MS),
        expireAt: new Date(now.getTime() + UNVERIFIED_MS),
      },
      audit,
    );
    // The operator has verified it since.
    if (stored.verifiedAt) return { sender: toSender(stored) };
    const found = await store.accounts.find(account.id);
    await systemMail.send(
      address,
      letterFor(address, found?.name ?? "", systemMail.page(`/sender/${token}`)),
    );
    return { sender: toSender(stored) };
  };
}

/** @throws Fault request.validation_failed */
function readAddress(input: string): string {
  if (!input.includes("@")) {
    const message = say("link_verifies_address");
    throw validationFault([{ pointer: "/value", code: "field.invalid", message }]);
  }
  const result = parseAddress(input);
  if (result.ok) return result.address;
  throw validationFault([{ pointer: "/value", code: result.code, message: result.message }]);
}

function letterFor(address: string, accountName: string, url: string): Letter {
  const name = nameInMail(accountName);
  const who = name === undefined ? "An account of Hermod" : `${name}`;
  return {
    subject: "Confirm your sender address",
    paragraphs: [`${who} wants to send mail from ${address}, and claims to own this address.`],
    link: { label: "Allow it", url },
    closing: [
      "The page asks you to confirm. The link expires after 24 hours.",
      "If you did not expect this mail, ignore it. No mail can then be sent from your address.",
    ],
  };
}

/** @throws Fault sender.link_invalid, also for a used, replaced or expired link */
export function createFindSenderLink({ store, clock }: Pick<SenderNeeds, "store" | "clock">) {
  return async ({
    token,
  }: FindSenderLinkRequest): Promise<MessageInitShape<typeof FindSenderLinkResponseSchema>> => {
    const hash = hashOf(token);
    const sender = hash === undefined ? null : await store.acrossAccounts.senders.findByLink(hash);
    if (!sender || !isOpen(sender, clock.now())) throw fault("sender.link_invalid");
    const account = await store.accounts.find(sender.accountId);
    if (!account) throw fault("sender.link_invalid");
    return { value: sender.value, accountName: nameInMail(account.name) ?? "" };
  };
}

/** @throws Fault sender.link_invalid */
export function createConfirmSender({ store, settings, clock }: SenderNeeds) {
  return async (
    { token }: ConfirmSenderRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof ConfirmSenderResponseSchema>> => {
    const hash = hashOf(token);
    if (hash === undefined) throw fault("sender.link_invalid");
    const sender = await store.acrossAccounts.senders.findByLink(hash);
    if (!sender) throw fault("sender.link_invalid");
    const actor = { kind: "recipient", id: sender.value, name: sender.value } as const;
    const ofMailbox = { ...audit, actor };
    const confirmed = await store.acrossAccounts.senders.confirm(hash, clock.now(), ofMailbox);
    if (!confirmed) throw fault("sender.link_invalid");
    settings.forget();
    return { value: confirmed.value };
  };
}

function hashOf(token: string): string | undefined {
  return token === "" || token.length > MAX_TOKEN_LENGTH ? undefined : hashSecret(token);
}

function isOpen({ linkExpiresAt }: SenderDocument, now: Date): boolean {
  return linkExpiresAt !== undefined && linkExpiresAt > now;
}
