import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListDomainsRequest,
  ListDomainsResponseSchema,
} from "../../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { domainStatuses } from "../../store/domain-document.ts";
import type { ListPage } from "../../store/list-page.ts";
import type { AccountStore } from "../../store/store.ts";
import { searchOfAccount } from "../page.ts";
import { readChoice, readSearch } from "../read-list-filter.ts";
import type { DomainNeeds } from "./domain-needs.ts";
import { toListedDomain } from "./domain-to-proto.ts";

type Listed = ReturnType<typeof toListedDomain>;

/**
 * Lists domains of an account by name. The status filter compares the computed status: a part of it depends on the
 * time and the keys, and is not stored.
 * @throws Fault account.unknown, request.validation_failed
 */
export function createListDomains({ store, clock }: Pick<DomainNeeds, "store" | "clock">) {
  return async (
    request: ListDomainsRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListDomainsResponseSchema>> => {
    const matches = readSearch(request.search);
    const wanted = readChoice("status", request.status, domainStatuses);
    const now = clock.now();

    const list = async (account: AccountStore, page: ListPage): Promise<Listed[]> => {
      const domains = await account.domains.list(page);
      const names = domains.map(({ name }) => name);
      const [keys, vouchedFor] = await Promise.all([
        account.domainKeys.listFacts(names),
        account.senders.listAmong(names),
      ]);
      const keysOf = new Map(names.map((name) => [name, [] as (typeof keys)[number][]]));
      for (const key of keys) keysOf.get(key.domain)?.push(key);
      const isVouchedFor = new Set(vouchedFor.map(({ value }) => value));
      return domains.map((domain) =>
        toListedDomain({
          domain,
          keys: keysOf.get(domain.name) ?? [],
          isVouchedFor: isVouchedFor.has(domain.name),
          now,
        }),
      );
    };
    const { entries, nextPageToken } = await searchOfAccount(request, {
      store,
      list,
      cursorOf: ({ name }) => name,
      context,
      ...((matches || wanted) && {
        matches: ({ name, status }: Listed) => (matches?.(name) ?? true) && (!wanted || status === wanted),
      }),
    });
    return { domains: [...entries], nextPageToken };
  };
}
