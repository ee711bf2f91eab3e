import type { MessageInitShape } from "@bufbuild/protobuf";
import type { TryRulesRequest, TryRulesResponseSchema } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { namedSchedules } from "../../alerts/rule.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { AccountStore } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { createRecipientsByTime } from "../oncalls/present-recipients.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";
import { readPastAlertFilter } from "./past-alert-filter.ts";
import type { RuleNeeds } from "./put-rule.ts";
import { createReadPastAlerts } from "./read-past-alerts.ts";
import { readRule } from "./read-rule.ts";
import { readSet } from "./read-rule-set.ts";
import { type CompiledRule, compileRule } from "./rule-sets.ts";
import { createRuleTrial } from "./rule-trial.ts";
import { findRule } from "./rule-versions.ts";

type TryNeeds = Pick<RuleNeeds, "store" | "alertEngine" | "clock">;

const TESTS = { of: "tests of alert rules", ofAccount: 2, inAll: 4, retryAfterSeconds: 5 };
const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;
const MAX_READ = 20_000;
/** Sorts behind the ids of all stored rules: with the same order, the older rule is first. */
const NEW_RULE_ID = `rul_${"z".repeat(26)}`;

/**
 * Evaluates rules for stored alerts. The work is done in slices, so that accepting and sending continue.
 * @throws Fault account.unknown, alert_rule.unknown, request.validation_failed, service.busy, core.timeout
 */
export function createTryRules({ store, alertEngine, clock }: TryNeeds) {
  const slots = createSlots(TESTS);
  const readPastAlerts = createReadPastAlerts();
  return async (
    request: TryRulesRequest,
    { signal }: Pick<HandlerContext, "signal">,
  ): Promise<MessageInitShape<typeof TryRulesResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { rules, subject, filter, limit } = await readRequest(account, alertEngine, request);
    const giveBack = slots.take(account.id);
    try {
      const trial = createRuleTrial(rules, subject);
      let count = 0;
      const found = await readPastAlerts(account, { ...filter, mostRead: MAX_READ, signal }, (stored) => {
        if (!filter.meets(stored)) return true;
        // One more shows that there are others.
        if (count === limit) return false;
        count++;
        trial.take(stored);
        return true;
      });
      const now = clock.now();
      const end = filter.until && filter.until < now ? filter.until : now;
      const schedules = new Set(rules.flatMap(({ notify }) => namedSchedules(notify)));
      const onCallAt = await createRecipientsByTime(account, [...schedules]);
      return {
        ...(await trial.end(end, { signal, onCallAt })),
        read: found.read,
        allTested: found.isComplete,
      };
    } finally {
      giveBack();
    }
  };
}

/** Rules of a request, the rule on which it wants a report, and the alerts. */
async function readRequest(
  account: AccountStore,
  { ruleSets }: TryNeeds["alertEngine"],
  { name, rule, rules, filter, limit }: TryRulesRequest,
) {
  const faults = createFieldFaults();
  if (name !== "" && rule) faults.add("/name", "field.conflict", say("rule_or_name"));
  if (rules && rule) faults.add("/rules", "field.conflict", say("rule_or_rules"));
  if (limit > MAX_LIMIT)
    faults.add("/limit", "field.invalid", say("number_range", { min: 1, max: MAX_LIMIT }));
  const read = rule && readRule(rule, "/rule", faults);
  const alerts = readPastAlertFilter(filter, "/filter", faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  const set = rules ? readSet(rules.rules) : await withRule(account, ruleSets, read);
  if (name !== "" && !set.some((one) => one.name === name)) await findRule(account, name);
  return { rules: set, subject: read?.name ?? name, filter: alerts, limit: limit || DEFAULT_LIMIT };
}

/** The rules of an account with a new or changed one. */
async function withRule(
  account: AccountStore,
  ruleSets: TryNeeds["alertEngine"]["ruleSets"],
  read: ReturnType<typeof readRule> | undefined,
): Promise<readonly CompiledRule[]> {
  const { rules } = await ruleSets.at(account.id, await account.alertRules.revision());
  if (!read) return rules;
  const { id = NEW_RULE_ID, version = 0 } = rules.find(({ name }) => name === read.name) ?? {};
  return [...rules.filter((one) => one.id !== id), compileRule(id, version + 1, read)];
}
