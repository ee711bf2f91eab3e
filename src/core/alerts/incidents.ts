import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type AddIncidentNoteRequest,
  type AssignIncidentRequest,
  type FindIncidentLinkResponseSchema,
  type FollowIncidentLinkResponseSchema,
  IncidentService,
  type SnoozeIncidentRequest,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import type { Incident } from "../../alerts/incident.ts";
import { prepareArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext, permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { findMember } from "../members/find-member.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { IncidentAction, IncidentChange } from "./alert-engine.ts";
import { createIncidentBulk } from "./incident-bulk.ts";
import { toEntry, toFiring, toIncident, toPageEntries } from "./incident-to-proto.ts";
import type { RuleSets } from "./rule-sets.ts";
import { createListIncidents } from "./search-incidents.ts";
import { showIncident } from "./shown-incidents.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("incidents.write");

type Needs = Pick<Dependencies, "store" | "alertEngine" | "incidentTokens" | "clock">;

/** Incidents, each with the alerts of one rule from the first to the last. */
export const incidents = prepareArea(IncidentService, partsOf, {
  listIncidents: [READ, READS, createListIncidents],
  /** @throws Fault account.unknown, incident.unknown */
  getIncident: [
    READ,
    READS,
    ({ store, alertEngine }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const incident = await account.incidents.find(request.id);
        if (!incident) throw fault("incident.unknown");
        const newest = await account.incidents.listFirings(request.id, MAX_FIRING_SHOWN);
        const history = await account.incidents.listHistory(request.id);
        const isPosted = history.some(({ posts = [] }) => posts.length > 0);
        const posted = isPosted ? await account.targetDeliveries.listOfIncident(request.id) : [];
        const deliveries = new Map(posted.map((one) => [one._id, one]));
        return {
          incident: await showIncident({ store, alertEngine }, account, incident),
          firing: newest.map(toFiring),
          history: history.map((entry) => toEntry(entry, deliveries)),
        };
      },
  ],
  /** @throws Fault account.unknown, incident.unknown */
  acknowledgeIncident: [
    WRITE,
    changes("incident.acknowledge", "id"),
    (needs) => changeByMember(needs, () => ({ action: "acknowledge" })),
  ],
  /** @throws Fault account.unknown, incident.unknown */
  unacknowledgeIncident: [
    WRITE,
    changes("incident.unacknowledge", "id"),
    (needs) => changeByMember(needs, () => ({ action: "unacknowledge" })),
  ],
  /** @throws Fault account.unknown, incident.unknown */
  resolveIncident: [
    WRITE,
    changes("incident.resolve", "id"),
    (needs) => changeByMember(needs, () => ({ action: "resolve" })),
  ],
  /** @throws Fault account.unknown, incident.unknown, incident.group_open, incident.rule_removed */
  reopenIncident: [
    WRITE,
    changes("incident.reopen", "id"),
    (needs) => changeByMember(needs, () => ({ action: "reopen" })),
  ],
  /** @throws Fault account.unknown, incident.unknown, incident.resolved, request.validation_failed */
  snoozeIncident: [
    WRITE,
    changes("incident.snooze", "id"),
    (needs) =>
      changeByMember(needs, ({ until: given }: SnoozeIncidentRequest) => {
        const until = given && timestampDate(given);
        const now = needs.clock.now();
        if (!until || until <= now || until.getTime() - now.getTime() > YEAR_MS)
          throw invalid("/until", say("ends_ahead_within_year"));
        return { action: "snooze", until };
      }),
  ],
  /** @throws Fault account.unknown, incident.unknown */
  endIncidentSnooze: [
    WRITE,
    changes("incident.end_snooze", "id"),
    (needs) => changeByMember(needs, () => ({ action: "end_snooze" })),
  ],
  /** @throws Fault account.unknown, incident.unknown, member.unknown */
  assignIncident: [
    WRITE,
    changes("incident.assign", "id"),
    (needs) =>
      changeByMember(needs, async ({ accountId, user }: AssignIncidentRequest) => {
        if (user === "") return { action: "assign", user: undefined };
        const { member, email } = await findMember(needs.store, { accountId, user });
        return { action: "assign", user: { id: member.userId, name: email } };
      }),
  ],
  /** @throws Fault account.unknown, incident.unknown, incident.too_many_notes, request.validation_failed */
  addIncidentNote: [
    WRITE,
    changes("incident.note", "id"),
    (needs) =>
      changeByMember(needs, ({ text: given }: AddIncidentNoteRequest) => {
        const text = given.trim();
        if (text === "" || text.length > MAX_NOTE)
          throw invalid("/text", say("text_of_characters", { max: MAX_NOTE }));
        return { action: "note", text };
      }),
  ],
  countIncidentBulk: [WRITE, READS, ({ bulk }) => bulk.countIncidentBulk],
  beginIncidentBulk: [WRITE, changes("incident.bulk"), ({ bulk }) => bulk.beginIncidentBulk],
  /** @throws Fault incident.link_invalid */
  findIncidentLink: [
    FRONT_ENDS,
    READS,
    ({ store, alertEngine, incidentTokens, clock }) =>
      async ({ token }) => {
        const link = incidentTokens.decode(token, clock.now());
        if (!link) throw fault("incident.link_invalid");
        const account = store.forAccount(link.accountId);
        const incident = await account.incidents.find(link.incidentId);
        if (!incident) throw fault("incident.link_invalid");
        return pageOf(account, incident, alertEngine.ruleSets);
      },
  ],
  /** @throws Fault incident.link_invalid, request.validation_failed */
  followIncidentLink: [
    FRONT_ENDS,
    changes("incident.follow_link"),
    (needs) =>
      async ({ token, action }, { audit }) => {
        const link = needs.incidentTokens.decode(token, needs.clock.now());
        if (!link) throw fault("incident.link_invalid");
        if (action !== "acknowledge" && action !== "resolve") {
          const message = say("one_of", { allowed: ["acknowledge", "resolve"] });
          throw validationFault([{ pointer: "/action", code: "field.invalid", message }]);
        }
        const { accountId, incidentId: id, recipient: by } = link;
        const actor = { kind: "recipient", id: by, name: by } as const;
        try {
          const { store, alertEngine } = needs;
          const incident = await change(needs, { accountId, id, action, by }, { ...audit, actor });
          return await pageOf(store.forAccount(accountId), incident, alertEngine.ruleSets);
        } catch (error) {
          throw error instanceof Error && "code" in error && error.code === "incident.unknown"
            ? fault("incident.link_invalid", { cause: error })
            : error;
        }
      },
  ],
});

const MAX_FIRING_SHOWN = 100;

const MAX_NOTE = 4_000;
const YEAR_MS = 366 * 86_400_000;

function partsOf(needs: Needs) {
  return { ...needs, bulk: createIncidentBulk(needs) };
}

function invalid(pointer: string, message: FaultText) {
  return validationFault([{ pointer, code: "field.invalid", message }]);
}

/**
 * A change requested by a member or the operator.
 * @param actionOf reads the request. The account exists
 */
function changeByMember<Request extends { readonly accountId: string; readonly id: string }>(
  needs: Pick<Needs, "store" | "alertEngine">,
  actionOf: (request: Request) => IncidentAction | Promise<IncidentAction>,
) {
  return async (request: Request, { audit }: Pick<HandlerContext, "audit">) => {
    const account = await resolveAccount(needs.store, request);
    const { id } = request;
    const asked = await actionOf({ ...request, accountId: account.id });
    const incident = await change(
      needs,
      { accountId: account.id, id, by: audit.actor.name, ...asked },
      audit,
    );
    return { incident: await showIncident(needs, account, incident) };
  };
}

/** Changes an incident, and records the change in the audit log. */
async function change(
  { store, alertEngine }: Pick<Needs, "store" | "alertEngine">,
  asked: IncidentChange,
  audit: HandlerContext["audit"],
) {
  const { accountId, id } = asked;
  const incident = await alertEngine.change(asked);
  const target = { kind: "incident", id, name: incident.title };
  await store.forAccount(accountId).audit.add(audit, { target, outcome: "changed" });
  return incident;
}

const MAX_FIRING_ON_PAGE = 25;
const MAX_HISTORY_ON_PAGE = 50;

/** Fields of an incident that a recipient of its notifications may see. */
async function pageOf(
  account: Pick<ReturnType<Store["forAccount"]>, "incidents" | "alertRules">,
  incident: Incident,
  ruleSets: RuleSets,
): Promise<
  MessageInitShape<typeof FindIncidentLinkResponseSchema> &
    MessageInitShape<typeof FollowIncidentLinkResponseSchema>
> {
  await ruleSets.learn(account.alertRules, [incident]);
  const firing = await account.incidents.listFirings(incident._id, MAX_FIRING_ON_PAGE);
  const history = await account.incidents.listHistory(incident._id);
  return {
    // Without the assignee, who is a member.
    incident: toIncident(incident, ruleSets),
    timeZone: ruleSets.notifyOf(incident).zone,
    firing: firing.map(toFiring),
    history: toPageEntries(history).slice(-MAX_HISTORY_ON_PAGE),
  };
}
