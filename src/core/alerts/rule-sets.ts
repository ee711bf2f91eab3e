import type { Alert } from "../../alerts/alert.ts";
import { createDecide, type DecidingRule, type Decision } from "../../alerts/decide.ts";
import type { TakingRule } from "../../alerts/incident-changes.ts";
import { createMutes, type Mutes } from "../../alerts/mutes.ts";
import { DEFAULT_NOTIFY, type NotifySettings, type RuleSettings } from "../../alerts/rule.ts";
import type { Clock } from "../../shared/clock.ts";
import { createLru } from "../../shared/lru.ts";
import { type OfVersion, ruleVersionId } from "../../store/alert-rule-store.ts";
import type { AlertWork } from "../../store/alert-work.ts";
import type { Store } from "../../store/store.ts";

/** A rule with the data that an evaluation needs. */
export interface CompiledRule extends DecidingRule, TakingRule {}

/** Compiled rules, silences and inhibitions of an account. */
export interface CompiledRuleSet {
  readonly revision: number;
  readonly rules: readonly CompiledRule[];
  readonly decide: (alert: Alert) => Decision<CompiledRule>;
  readonly mutes: Mutes;
}

export interface RuleSets {
  /** Reads the rule set of an account: this revision, or a later one. @throws Fault store.unavailable */
  at(accountId: string, revision: number): Promise<CompiledRuleSet>;
  /** Reads the rule versions of incidents that are not loaded. */
  learn(work: Pick<AlertWork, "ruleVersions">, of: readonly OfVersion[]): Promise<void>;
  /** Notification settings of a rule version that `learn` has read. */
  notifyOf(of: OfVersion): NotifySettings;
}

const MAX_RULE_SETS = 1_000;
const MAX_VERSIONS = 10_000;

/**
 * Compiles a rule set once per revision. A caller names the revision of its last change, and never gets an older one.
 */
export function createRuleSets({
  store,
  clock,
}: {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Pick<Clock, "now">;
}): RuleSets {
  const ruleSets = createLru<CompiledRuleSet>(MAX_RULE_SETS);
  const versions = createLru<NotifySettings>(MAX_VERSIONS);

  return {
    async at(accountId, revision) {
      const known = ruleSets.get(accountId);
      if (known && known.revision >= revision) return known;
      const read = await store.forAccount(accountId).alertRules.ruleSet(clock.now());
      const rules = read.rules.map(({ _id, version, settings }) => compileRule(_id, version, settings));
      // A client that stores many rules one after the other needs none of it.
      let decide: CompiledRuleSet["decide"] | undefined;
      let mutes: Mutes | undefined;
      const ruleSet: CompiledRuleSet = {
        revision: read.revision,
        rules,
        decide: (alert) => {
          decide ??= createDecide(rules);
          return decide(alert);
        },
        get mutes() {
          mutes ??= createMutes(read.silences, read.inhibitions);
          return mutes;
        },
      };
      ruleSets.set(accountId, ruleSet);
      return ruleSet;
    },

    async learn(work, of) {
      const unknown = of.filter((one) => !versions.has(ruleVersionId(one.ruleId, one.ruleVersion)));
      if (unknown.length === 0) return;
      for (const { _id, settings } of await work.ruleVersions(unknown))
        versions.set(_id, settings.notify ?? DEFAULT_NOTIFY);
    },

    notifyOf: ({ ruleId, ruleVersion }) => versions.get(ruleVersionId(ruleId, ruleVersion)) ?? DEFAULT_NOTIFY,
  };
}

export function compileRule(id: string, version: number, settings: RuleSettings): CompiledRule {
  const {
    name,
    order,
    enabled,
    matchers,
    stop,
    onlyUnmatched = false,
    effect,
    notify = DEFAULT_NOTIFY,
  } = settings;
  return { id, version, name, order, enabled, matchers, stop, onlyUnmatched, effect, notify };
}
