import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BlacklistFilter as Asked,
  BlacklistStatusSchema,
} from "../../../gen/hermod/intel/v1/intel_service_pb.ts";
import { isOpen } from "../../intel/blacklists/open-lists.ts";
import { addressSubject } from "../../intel/blacklists/subject.ts";
import { parseDomain } from "../../message/address/senders.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { BlacklistWatchFilter } from "../../store/blacklist-store.ts";
import type { BlacklistState } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { toBlacklistStatus } from "./blacklist-to-proto.ts";

export interface StatusList {
  readonly account: AccountStore;
  readonly workspaceId: string;
  readonly filter?: Asked | undefined;
  readonly pageSize: number;
  readonly pageToken: string;
}

interface StatusPage {
  readonly statuses: MessageInitShape<typeof BlacklistStatusSchema>[];
  readonly nextPageToken: string;
  readonly summary: Record<string, number>;
}

const STATES = [
  "listed",
  "clean",
  "refused",
  "error",
  "unreliable",
  "pending",
] as const satisfies BlacklistState[];

/**
 * Lists the stored results of a workspace's subjects at blacklists. An address or domain that is not watched is a
 * fault, because an empty list would appear clean.
 * @throws Fault request.validation_failed, cursor.invalid, subject.not_monitored, watched_domain.unknown,
 *   client.unknown
 */
export async function listBlacklistStatus(
  { intel, store }: Pick<Dependencies, "intel" | "store">,
  { account, workspaceId, filter, pageSize, pageToken }: StatusList,
): Promise<StatusPage> {
  const asked = filter ?? { ip: "", domain: "", domainId: "", clientId: "", list: "", state: "" };
  checkFilter(
    asked,
    intel.lists.map(({ list }) => list.id),
  );
  const open = intel.lists.filter(isOpen).map(({ list }) => list.id);
  const closed = intel.lists.filter((choice) => !isOpen(choice)).map(({ list }) => list.id);
  const ofList = (ids: readonly string[]) =>
    asked.list === "" ? ids : ids.filter((id) => id === asked.list);
  const within = await subjectsAsked(account, workspaceId, asked);

  const everywhere: BlacklistWatchFilter = { ...within, listIds: ofList([...open, ...closed]) };
  if (
    (asked.ip !== "" || asked.domain !== "") &&
    (await isUnknown(account, workspaceId, within, intel.lists))
  )
    throw fault("subject.not_monitored");
  const chosen: BlacklistWatchFilter =
    asked.state === ""
      ? everywhere
      : asked.state === "not_configured"
        ? { ...within, listIds: ofList(closed) }
        : { ...within, listIds: ofList(open), state: asked.state as BlacklistState };

  const question = { list: "blacklists", workspaceId, asked: { ...asked, $typeName: undefined } };
  const limit = pageSizeOf(pageSize);
  const after = intel.cursors.read(question, pageToken)?.id;
  const [found, summary] = await Promise.all([
    account.blacklists.list(workspaceId, chosen, { after, limit: limit + 1 }),
    summaryOf(account, workspaceId, { within, open: ofList(open), closed: ofList(closed) }),
  ]);
  const { entries, nextPageToken } = pageOf(found, limit, ({ key: id }) =>
    intel.cursors.write(question, { rank: "", id }),
  );
  const keys = entries.map(({ key }) => key);
  const [known, concerned] = await Promise.all([
    store.blacklistStates.find(keys),
    account.blacklists.concerned(workspaceId, keys),
  ]);
  const choices = new Map(intel.lists.map((choice) => [choice.list.id, choice]));
  const statuses = entries.flatMap(({ key, listId, subject }) => {
    const choice = choices.get(listId);
    if (!choice) return [];
    const domainIds = concerned.get(key) ?? [];
    return [toBlacklistStatus({ subject, choice, known: known.get(key), domainIds })];
  });
  return { statuses, summary, nextPageToken };
}

function checkFilter(
  { ip, domain, list, state }: Asked | Omit<Asked, "$typeName">,
  ids: readonly string[],
): void {
  const faults = createFieldFaults();
  if (ip !== "" && !addressSubject(ip))
    faults.add("/filter/ip", "field.invalid", say("ip_address_public_internet"));
  if (domain !== "" && !parseDomain(domain).ok)
    faults.add("/filter/domain", "field.invalid", say("name_domain"));
  if (ip !== "" && domain !== "") faults.add("/filter/domain", "field.conflict", say("address_or_domain"));
  if (list !== "" && !ids.includes(list))
    faults.add("/filter/list", "field.invalid", say("one_of", { allowed: ids }));
  const states = [...STATES, "not_configured"];
  if (state !== "" && !states.includes(state))
    faults.add("/filter/state", "field.invalid", say("one_of", { allowed: states }));
  if (faults.found.length > 0) throw validationFault(faults.found);
}

/** @throws Fault watched_domain.unknown, client.unknown */
async function subjectsAsked(
  account: AccountStore,
  workspaceId: string,
  { ip, domain, domainId, clientId }: Omit<Asked, "$typeName">,
): Promise<Omit<BlacklistWatchFilter, "listIds">> {
  let keys: readonly string[] | undefined;
  if (domainId !== "") {
    const watched = await account.watches.find(domainId);
    if (!watched || watched.workspaceId !== workspaceId) throw fault("watched_domain.unknown");
    keys = watched.subjects;
  } else if (clientId !== "") {
    const client = await account.workspaces.findClient(clientId);
    if (!client || client.workspaceId !== workspaceId) throw fault("client.unknown");
    keys = await account.watches.subjectsOfClient(workspaceId, clientId);
  }
  const parsed = domain === "" ? undefined : parseDomain(domain);
  const subject = ip !== "" ? addressSubject(ip)?.value : parsed?.ok ? parsed.domain : undefined;
  return withoutUndefined({ keys, subject });
}

async function isUnknown(
  account: AccountStore,
  workspaceId: string,
  within: Omit<BlacklistWatchFilter, "listIds">,
  lists: Dependencies["intel"]["lists"],
): Promise<boolean> {
  const listIds = lists.map(({ list }) => list.id);
  return (await account.blacklists.list(workspaceId, { ...within, listIds }, { limit: 1 })).length === 0;
}

interface Asking {
  readonly within: Omit<BlacklistWatchFilter, "listIds">;
  readonly open: readonly string[];
  readonly closed: readonly string[];
}

async function summaryOf(
  account: AccountStore,
  workspaceId: string,
  { within, open, closed }: Asking,
): Promise<Record<string, number>> {
  const count = (filter: BlacklistWatchFilter) => account.blacklists.count(workspaceId, filter);
  const counted = await Promise.all([
    ...STATES.map(async (state) => [state, await count({ ...within, listIds: open, state })] as const),
    count({ ...within, listIds: closed }).then((found) => ["not_configured", found] as const),
  ]);
  return Object.fromEntries(counted);
}
