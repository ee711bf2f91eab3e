import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type {
  CreateDomainLinkRequest,
  CreateDomainLinkResponseSchema,
  FindDomainLinkRequest,
  FindDomainLinkResponseSchema,
  RemoveDomainLinkRequest,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import { createDomainLinkTokens } from "../../message/domain-link-token.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { equalInConstantTime, randomWord } from "../../shared/secrets.ts";
import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSecretOpener } from "../secret-opener.ts";
import { type DomainNeeds, findDomain, readKnownName, unknownDomain } from "./domain-needs.ts";
import { toDomain } from "./domain-to-proto.ts";
import { zoneFileOf } from "./zone-file-of.ts";

export type DomainLinkNeeds = DomainNeeds & Pick<Dependencies, "store" | "installation">;

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 30;
const ID_BYTES = 16;
/** Readers reload an open page by hand, not with a program. */
const READS_PER_MINUTE = 60;

const createTokenOpener = (store: Pick<Store, "secrets">) =>
  createSecretOpener(store, "domain-link", createDomainLinkTokens);

/**
 * Creates the link of a domain, which replaces the former one.
 * @throws Fault account.unknown, domain.unknown, request.validation_failed
 */
export function createDomainLink(needs: DomainLinkNeeds) {
  const { store, clock, installation } = needs;
  const openTokens = createTokenOpener(store);
  return async (
    request: CreateDomainLinkRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof CreateDomainLinkResponseSchema>> => {
    const days = request.expiresInDays ?? DEFAULT_DAYS;
    if (days < 1 || days > MAX_DAYS) throw invalidDays();
    const { account, domain } = await findDomain(needs, request, { actor });
    const tokens = await openTokens();
    const expiresAt = new Date(clock.now().getTime() + days * DAY_MS);
    const link = { id: randomWord(ID_BYTES), expiresAt };
    if (!(await account.domains.setLink(domain.name, link, audit))) throw unknownDomain(domain.name);
    const token = tokens.encode({ accountId: account.id, domain: domain.name, linkId: link.id });
    const baseUrl = installation.baseUrl();
    const url = baseUrl === undefined ? "" : `${baseUrl}/dashboard/dns-records#${token}`;
    return { link: { token, url, expiresAt: timestampFromDate(expiresAt) } };
  };
}

function invalidDays() {
  const message = say("field_from_1", { field: "expires_in_days", max: MAX_DAYS });
  return validationFault([{ pointer: "/expires_in_days", code: "field.invalid", message }]);
}

/** @throws Fault account.unknown, domain.unknown */
export function createRemoveDomainLink({ store }: DomainLinkNeeds) {
  return async (
    request: RemoveDomainLinkRequest,
    { actor, audit }: Pick<HandlerContext, "actor" | "audit">,
  ) => {
    const name = readKnownName(request.domain);
    const account = await resolveAccount(store, request, { actor });
    if (!(await account.domains.setLink(name, undefined, audit))) throw unknownDomain(name);
    return {};
  };
}

/**
 * Returns the content of a link. The token identifies one domain of one account; no other data of the account is
 * read.
 * @throws Fault domain.link_invalid, rate.limited
 */
export function createFindDomainLink(needs: DomainLinkNeeds) {
  const { store, clock, sendingSetup } = needs;
  const openTokens = createTokenOpener(store);
  // Entries expire after a minute. Tokens that Hermod has not created add none.
  const reads = new RateLimiterMemory({ points: READS_PER_MINUTE, duration: 60 });

  return async ({
    token,
  }: FindDomainLinkRequest): Promise<MessageInitShape<typeof FindDomainLinkResponseSchema>> => {
    const link = (await openTokens()).decode(token);
    if (!link) throw fault("domain.link_invalid");
    await countRead(reads, link.linkId);
    const account = store.forAccount(link.accountId);
    const [owner, domain, keys] = await Promise.all([
      store.accounts.find(link.accountId),
      account.domains.find(link.domain),
      account.domainKeys.list(link.domain),
    ]);
    const now = clock.now();
    const open = domain?.link;
    if (!owner || !domain || !open || open.expiresAt <= now || !equalInConstantTime(open.id, link.linkId))
      throw fault("domain.link_invalid");
    const { name, status, reasons, reasonTexts, dnsProvider, nameServers, checkedAt, nextCheckAt, records } =
      toDomain({ domain, keys, isVouchedFor: false, now }, sendingSetup);
    return {
      domain: name,
      status,
      reasons,
      reasonTexts,
      dnsProvider,
      nameServers,
      ...(checkedAt && { checkedAt }),
      nextCheckAt,
      records: records.filter(({ byOwner, value }) => byOwner && value !== ""),
      zoneFile: zoneFileOf({ domain, keys }, sendingSetup, now),
      expiresAt: timestampFromDate(open.expiresAt),
    };
  };
}

/** @throws Fault rate.limited */
async function countRead(reads: RateLimiterMemory, linkId: string): Promise<void> {
  try {
    await reads.consume(linkId);
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    const retryAfterSeconds = Math.max(1, Math.ceil(rejected.msBeforeNext / 1000));
    const text = say("link_reads", { max: READS_PER_MINUTE, seconds: retryAfterSeconds });
    throw fault("rate.limited", { public: text, retryAfterSeconds });
  }
}
