import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  FindingDetailsSchema,
  ListFindingDomainsRequest,
  ListFindingDomainsResponseSchema,
} from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { createEntryOf } from "../../intel/assess-domain.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import type { CheckOutcome } from "../../intel/standing-check.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { unicodeName } from "../../shared/unicode-name.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { DomainRepair } from "../../store/intel-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { toTextParts } from "../text-parts.ts";
import { eachRepaired, type RepairedDomain } from "./find-repairs.ts";
import { tenthsOf } from "./list-findings.ts";
import { resolveScope } from "./resolve-scope.ts";
import { toFix } from "./watch-to-proto.ts";

interface Found {
  readonly domain: RepairedDomain["domain"];
  readonly repair: DomainRepair;
}

/**
 * Lists the domains of a scope with one finding, by the gain of its repair.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, watched_domain.unknown,
 *   request.validation_failed, cursor.invalid
 */
export function createListFindingDomains(needs: Pick<Dependencies, "store" | "intel" | "clock">) {
  const { cursors, lists } = needs.intel;
  const entryOf = createEntryOf(lists);
  return async (
    request: ListFindingDomainsRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ListFindingDomainsResponseSchema>> => {
    const { checkId } = request;
    if (entryOf(checkId as CheckId) === undefined) {
      const message = say("no_check");
      throw validationFault([{ pointer: "/check_id", code: "field.invalid", message }]);
    }
    const limit = pageSizeOf(request.pageSize);
    const scope = await resolveScope(needs, request, audit);
    const { account, workspaceId, clientId = "", domain } = scope;
    const question = { list: "finding", workspaceId, clientId, domainId: domain?._id ?? "", checkId };
    const after = cursors.read(question, request.pageToken);
    const found: Found[] = [];
    await eachRepaired(needs, scope, checkId, (domains) => {
      for (const { domain, repairs } of domains) {
        const repair = repairs.find((one) => one.checkId === checkId);
        if (repair && (!after || isAfter(domain.name, repair, after))) found.push({ domain, repair });
      }
    });
    found.sort(
      (one, other) =>
        tenthsOf(other.repair) - tenthsOf(one.repair) || (one.domain.name < other.domain.name ? -1 : 1),
    );
    const { entries, nextPageToken } = pageOf(found, limit, (last) =>
      cursors.write(question, { rank: tenthsOf(last.repair), id: last.domain.name }),
    );
    return { domains: await describe(account, checkId, entries), nextPageToken };
  };
}

function isAfter(
  name: string,
  repair: DomainRepair,
  { rank, id }: { readonly rank: string | number; readonly id: string },
): boolean {
  const tenths = tenthsOf(repair);
  return tenths < Number(rank) || (tenths === Number(rank) && name > id);
}

async function describe(
  { watches, workspaces }: AccountStore,
  checkId: string,
  found: readonly Found[],
): Promise<MessageInitShape<typeof FindingDetailsSchema>[]> {
  const clientIds = [...new Set(found.map(({ domain: { clientId } }) => clientId))];
  const [clients, outcomes] = await Promise.all([
    workspaces.findClients(clientIds),
    watches.findOutcomes(found.map(({ domain: { _id } }) => _id)),
  ]);
  return found.map(({ domain: { _id, name, clientId }, repair: { severity, gain } }) => {
    const check = outcomes.get(_id)?.find(({ id }) => id === checkId);
    return {
      domainId: _id,
      domain: name,
      domainUnicode: unicodeName(name),
      clientId,
      clientName: clients.get(clientId)?.name ?? "",
      severity,
      gain,
      ...(check && resultOf(check)),
    };
  });
}

function resultOf({ known, expected, expectedParts, checkedAt }: CheckOutcome) {
  return {
    expected,
    expectedParts: toTextParts(expectedParts ?? []),
    observed: known?.observed ?? "",
    observedParts: toTextParts(known?.observedParts ?? []),
    checkedAt: timestampFromDate(checkedAt),
    ...withoutUndefined({
      since: known && timestampFromDate(known.since),
      fix: known?.fix && toFix(known.fix),
    }),
  };
}
