import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  PreviewSilenceRequest,
  PreviewSilenceResponseSchema,
  SilencedIncidentSchema,
} from "../../../gen/hermod/silence/v1/silence_service_pb.ts";
import type { Alert } from "../../alerts/alert.ts";
import { compileMatchers, type Matchers } from "../../alerts/condition.ts";
import type { Firing } from "../../alerts/incident.ts";
import { readsContext } from "../../alerts/mutes.ts";
import { type QuietHours, quietHoursOf } from "../../alerts/quiet-hours.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { IncidentHead } from "../../store/alert-lists.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";
import { createReadPastAlerts } from "./read-past-alerts.ts";
import { needsConfirmation, readSilenceConditions } from "./read-silence.ts";

interface Needs extends Pick<Dependencies, "clock"> {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

const PREVIEWS = { of: "previews of silences", ofAccount: 2, inAll: 8, retryAfterSeconds: 2 };
const PAST_MS = 7 * 86_400_000;
/** Limits of one preview. The answer says if there are more. */
const MAX_ALERTS = 10_000;
const MAX_FIRINGS = 50_000;
const INCIDENTS_PAGE = 100;
const MAX_LISTED = 25;
/** Stored alerts that are loaded at a time, each with up to 256 KB. */
const WHOLE_AT_ONCE = 32;

/**
 * Counts what a silence would suppress. The need of a confirmation does not depend on the limits of the counts.
 * @throws Fault account.unknown, request.validation_failed, service.busy
 */
export function createPreviewSilence({ store, clock }: Needs) {
  const slots = createSlots(PREVIEWS);
  const readPastAlerts = createReadPastAlerts();
  return async (
    request: PreviewSilenceRequest,
    { signal }: Pick<HandlerContext, "signal">,
  ): Promise<MessageInitShape<typeof PreviewSilenceResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const { matchers, weekly } = readSilenceConditions(request);
    const giveBack = slots.take(account.id);
    try {
      const now = clock.now();
      const begin = new Date(now.getTime() - PAST_MS);
      const matches = compileMatchers(matchers);
      const isWithin = withinWindows(weekly);
      let alerts = 0;
      const past = await readPastAlerts(account, { from: begin, mostRead: MAX_ALERTS, signal }, (stored) => {
        if (stored.status === "firing" && matches(stored.alert) && isWithin(stored.at)) alerts++;
        return true;
      });
      const open = await readOpenIncidents(account, matchers, signal);
      return {
        needsConfirmation: await needsConfirmation(account, matchers),
        ...open,
        alerts,
        alertsRead: past.read,
        since: timestampFromDate(past.isComplete ? begin : (past.oldest ?? begin)),
        allAlertsRead: past.isComplete,
      };
    } finally {
      giveBack();
    }
  };
}

/** Whether a time is in one of the windows; without windows, every time is. */
function withinWindows(weekly: QuietHours | undefined): (at: Date) => boolean {
  if (!weekly) return () => true;
  const hours = quietHoursOf(weekly);
  return (at) => hours.isQuiet(at);
}

/** Numbers of active alerts of an incident. */
interface Counted {
  readonly incident: IncidentHead;
  read: number;
  matching: number;
}

/** Open incidents with matching active alerts. */
async function readOpenIncidents(account: AccountStore, matchers: Matchers, signal: AbortSignal) {
  const matches = compileMatchers(matchers);
  const needsWhole = readsContext(matchers);
  const found: Counted[] = [];
  let left = MAX_FIRINGS;
  let after: IncidentHead | undefined;
  for (;;) {
    signal.throwIfAborted();
    const page = await account.incidents.scan({
      sort: "newest",
      states: ["open", "acknowledged"],
      after,
      limit: INCIDENTS_PAGE,
    });
    const counted = new Map<string, Counted>(
      page.map((incident) => [incident._id, { incident, read: 0, matching: 0 }]),
    );
    await account.incidents.readFirings([...counted.keys()], async (firings) => {
      left -= firings.length;
      const wholes = needsWhole ? await readWholes(account, firings) : new Map<string, Alert>();
      for (const { incidentId, alertId, alert } of firings) {
        const one = counted.get(incidentId);
        if (!one) continue;
        one.read++;
        if (matches(wholes.get(alertId) ?? alert)) one.matching++;
      }
      return left > 0;
    });
    found.push(...[...counted.values()].filter(({ matching }) => matching > 0));
    after = page.at(-1);
    if (left <= 0 || page.length < INCIDENTS_PAGE) break;
  }
  const isWhole = ({ read, matching }: Counted) => matching === read;
  const incidents = found.filter(isWhole).length;
  return {
    incidents,
    partialIncidents: found.length - incidents,
    listed: found.slice(0, MAX_LISTED).map(toSilenced),
    allIncidentsRead: left > 0,
  };
}

/** Stored alerts with the whole context, for active alerts that have only a part of it. */
async function readWholes(
  { incidents }: Pick<AccountStore, "incidents">,
  firings: readonly Firing[],
): Promise<Map<string, Alert>> {
  const ids = firings.flatMap(({ isWhole, alertId }) => (isWhole ? [] : [alertId]));
  const wholes = new Map<string, Alert>();
  for (let from = 0; from < ids.length; from += WHOLE_AT_ONCE) {
    const some = ids.slice(from, from + WHOLE_AT_ONCE);
    for (const { _id, alert } of await incidents.work((work) => work.alerts(some))) wholes.set(_id, alert);
  }
  return wholes;
}

function toSilenced({ incident, matching }: Counted): MessageInitShape<typeof SilencedIncidentSchema> {
  const { _id: id, title, ruleName: rule, severity, state, firing } = incident;
  return { id, title, rule, severity, state, firing, matching };
}
