import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FindingSchema,
  ListFindingsRequest,
  ListFindingsResponseSchema,
} from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { createEntryOf } from "../../intel/assess-domain.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import type { Severity } from "../../intel/severity.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { DomainRepair } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { eachRepaired, type RepairedDomain } from "./find-repairs.ts";
import { resolveScope } from "./resolve-scope.ts";

/** Domains that an entry names. */
const NAMED = 3;
const SEVERITIES = ["critical", "warning", "info"] as const satisfies readonly Severity[];

/** One finding, over several domains. */
interface Group {
  readonly checkId: string;
  /** In tenths of a point: whole numbers have exact sums. */
  tenths: number;
  readonly severities: Record<Severity, number>;
  /** Domains with the largest gain, in order. */
  readonly best: { readonly domain: RepairedDomain["domain"]; readonly repair: DomainRepair }[];
}

/**
 * Lists the findings of a scope by the gain of their repair.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, watched_domain.unknown
 */
export function createListFindings(needs: Pick<Dependencies, "store" | "intel" | "clock">) {
  const entryOf = createEntryOf(needs.intel.lists);
  return async (
    request: ListFindingsRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ListFindingsResponseSchema>> => {
    const scope = await resolveScope(needs, request, audit);
    const groups = new Map<string, Group>();
    let [domainCount, scoredCount] = [0, 0];
    await eachRepaired(needs, scope, undefined, (domains) => {
      domainCount += domains.length;
      for (const { domain, repairs } of domains) {
        if (domain.score !== null) scoredCount++;
        for (const repair of repairs) add(groups, domain, repair);
      }
    });
    const findings = [...groups.values()]
      .filter(({ checkId }) => entryOf(checkId as CheckId) !== undefined)
      .sort(byGain)
      .map((group) => toFinding(group, entryOf));
    return { findings, domainCount, scoredCount };
  };
}

export const tenthsOf = ({ gain }: DomainRepair) => Math.round(gain * 10);

function add(groups: Map<string, Group>, domain: RepairedDomain["domain"], repair: DomainRepair): void {
  const { checkId, severity } = repair;
  const group = groups.get(checkId) ?? {
    checkId,
    tenths: 0,
    severities: { critical: 0, warning: 0, info: 0 },
    best: [],
  };
  groups.set(checkId, group);
  group.tenths += tenthsOf(repair);
  group.severities[severity]++;
  group.best.push({ domain, repair });
  // Domains with the same gain stay in the order of their names.
  group.best.sort((one, other) => tenthsOf(other.repair) - tenthsOf(one.repair));
  group.best.splice(NAMED);
}

const worstOf = ({ severities }: Group): Severity => SEVERITIES.find((one) => severities[one] > 0) ?? "info";

function byGain(one: Group, other: Group): number {
  return (
    other.tenths - one.tenths ||
    SEVERITIES.indexOf(worstOf(one)) - SEVERITIES.indexOf(worstOf(other)) ||
    countOf(other) - countOf(one) ||
    (one.checkId < other.checkId ? -1 : 1)
  );
}

const countOf = ({ severities: { critical, warning, info } }: Group) => critical + warning + info;

function toFinding(
  group: Group,
  entryOf: ReturnType<typeof createEntryOf>,
): MessageInitShape<typeof FindingSchema> {
  const { checkId, tenths, severities, best } = group;
  const { category = "", title = checkId, reference = "" } = entryOf(checkId as CheckId) ?? {};
  return {
    checkId,
    category,
    title,
    reference,
    severity: worstOf(group),
    gain: tenths / 10,
    domainCount: countOf(group),
    severities,
    domains: best.map(({ domain: { _id, name, clientId }, repair: { severity, gain } }) => ({
      domainId: _id,
      domain: name,
      clientId,
      severity,
      gain,
    })),
  };
}
