import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { BlacklistHealthSchema } from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { isOpen, type ListChoice } from "../../intel/blacklists/open-lists.ts";
import { distrustReason, isTrusted } from "../../intel/blacklists/self-test.ts";
import { utcDay } from "../../shared/utc-day.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { ListTrustDocument } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { toList } from "./blacklist-to-proto.ts";

/** Lists all blacklists with their health: whether they are used, why not, and how much of the budget is spent. */
export async function listBlacklists({
  store,
  intel,
  clock,
}: Pick<Dependencies, "store" | "intel" | "clock">): Promise<
  MessageInitShape<typeof BlacklistHealthSchema>[]
> {
  const trusts = await store.blacklistStates.findTrusts(intel.lists.map(({ list }) => list.id));
  const today = utcDay(clock.now());
  return intel.lists.map((choice) => toHealth(choice, trusts.get(choice.list.id), today));
}

function toHealth(
  choice: ListChoice,
  known: ListTrustDocument | undefined,
  today: string,
): MessageInitShape<typeof BlacklistHealthSchema> {
  const { list } = choice;
  const common = { list: toList(list), delistUrl: list.delistUrl };
  if (!isOpen(choice)) return { ...common, state: "not_configured", reason: choice.notConfigured };
  const { trust, spent, periodMs = list.periodMs } = known ?? {};
  return {
    ...common,
    state: stateOf(trust),
    queriesPerDay: choice.queriesPerDay,
    queriesToday: spent?.day === today ? spent.queries : 0,
    intervalSeconds: Math.round(periodMs / 1_000),
    wantedIntervalSeconds: Math.round(list.periodMs / 1_000),
    ...withoutUndefined({
      reason: trust && !isTrusted(trust) ? distrustReason(trust) : undefined,
      failure: trust?.failure,
      testedAt: trust && timestampFromDate(trust.testedAt),
    }),
  };
}

function stateOf(trust: ListTrustDocument["trust"]): string {
  if (!trust) return "untested";
  if (!trust.isOn) return "off";
  return trust.failure ? "failing" : "on";
}
