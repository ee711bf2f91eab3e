import { fault } from "../../shared/fault.ts";
import { hashOfLinkToken, hashSecret, newLinkToken } from "../../shared/secrets.ts";
import type { MailLinkDocument } from "../../store/user-documents.ts";
import type { UserNeeds } from "./needs.ts";

type Needs = Pick<UserNeeds, "store" | "clock">;

interface NewLink extends Pick<MailLinkDocument, "_id" | "purpose" | "email" | "sessionId"> {
  readonly lifeMs: number;
}

/**
 * Stores a link, which replaces the former one with the same id.
 * @returns its secret, of which only a hash is stored
 */
export async function putMailLink({ store, clock }: Needs, { lifeMs, ...link }: NewLink): Promise<string> {
  const token = newLinkToken();
  const now = clock.now();
  const expireAt = new Date(now.getTime() + lifeMs);
  await store.mailLinks.put({ ...link, hash: hashSecret(token), createdAt: now, expireAt });
  return token;
}

/** @throws Fault link.unknown */
export async function openMailLink(
  { store, clock }: Needs,
  purpose: MailLinkDocument["purpose"],
  token: string,
): Promise<MailLinkDocument> {
  const hash = hashOfLinkToken(token);
  const link = hash && (await store.mailLinks.find(purpose, hash, clock.now()));
  if (link) return link;
  throw fault("link.unknown");
}
