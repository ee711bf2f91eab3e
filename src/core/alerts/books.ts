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

/** A rule of a book, as alerts meet it. */
export interface BookRule extends DecidingRule, TakingRule {}

/** All that decides about an account's alerts, ready to be asked. */
export interface CompiledBook {
  readonly revision: number;
  readonly rules: readonly BookRule[];
  readonly decide: (alert: Alert) => Decision<BookRule>;
  readonly mutes: Mutes;
}

export interface Books {
  /** The book of an account, this revision or a later one. @throws Fault store.unavailable */
  at(accountId: string, revision: number): Promise<CompiledBook>;
  /** Reads the versions of rules with which incidents began, as far as they are not known. */
  learn(work: Pick<AlertWork, "ruleVersions">, of: readonly OfVersion[]): Promise<void>;
  /** How a version of a rule tells, once it was learnt. */
  notifyOf(of: OfVersion): NotifySettings;
}

const MAX_BOOKS = 1_000;
const MAX_VERSIONS = 10_000;

/** Books are compiled once for each of their revisions: what a caller names is never older than what he has changed. */
export function createBooks({
  store,
  clock,
}: {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Pick<Clock, "now">;
}): Books {
  const books = createLru<CompiledBook>(MAX_BOOKS);
  const versions = createLru<NotifySettings>(MAX_VERSIONS);

  return {
    async at(accountId, revision) {
      const known = books.get(accountId);
      if (known && known.revision >= revision) return known;
      const read = await store.forAccount(accountId).alertRules.book(clock.now());
      const rules = read.rules.map(({ _id, version, settings }) => toBookRule(_id, version, settings));
      // Whoever puts many rules one after the other needs none of it.
      let decide: CompiledBook["decide"] | undefined;
      let mutes: Mutes | undefined;
      const book: CompiledBook = {
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
      books.set(accountId, book);
      return book;
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

export function toBookRule(id: string, version: number, settings: RuleSettings): BookRule {
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
