import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type FindIncidentLinkResponseSchema,
  type FollowIncidentLinkResponseSchema,
  IncidentService,
} from "../../../gen/hermod/incident/v1/incident_service_pb.ts";
import { type Incident, type IncidentState, incidentStates } from "../../alerts/incident.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext, permitted } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { IncidentChange } from "./alert-engine.ts";
import { toEntry, toFiring, toIncident, toPageEntry } from "./incident-to-proto.ts";
import type { RuleSets } from "./rule-sets.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("incidents.write");

type Needs = Pick<Dependencies, "store" | "alertEngine" | "incidentTokens" | "clock">;

/** Incidents, each with the alerts of one rule from the first to the last. */
export const incidents: Area<Needs> = defineArea(IncidentService, {
  /** @throws Fault account.unknown, request.validation_failed */
  listIncidents: [
    READ,
    READS,
    ({ store, alertEngine }) =>
      async (request) => {
        const state = readState(request.state);
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: (account, page) => account.incidents.list({ ...page, state }),
          cursorOf: ({ _id }) => _id,
        });
        const [first] = entries;
        if (first) await alertEngine.ruleSets.learn(store.forAccount(first.accountId).alertRules, entries);
        return { incidents: entries.map((one) => toIncident(one, alertEngine.ruleSets)), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, incident.unknown */
  getIncident: [
    READ,
    READS,
    ({ store, alertEngine }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const incident = await account.incidents.find(request.id);
        if (!incident) throw fault("incident.unknown");
        await alertEngine.ruleSets.learn(account.alertRules, [incident]);
        const newest = await account.incidents.listFirings(request.id, MAX_FIRING_SHOWN);
        const history = await account.incidents.listHistory(request.id);
        return {
          incident: toIncident(incident, alertEngine.ruleSets),
          firing: newest.map(toFiring),
          history: history.map(toEntry),
        };
      },
  ],
  /** @throws Fault account.unknown, incident.unknown */
  acknowledgeIncident: [
    WRITE,
    changes("incident.acknowledge", "id"),
    (needs) => changeByMember(needs, "acknowledge"),
  ],
  /** @throws Fault account.unknown, incident.unknown */
  resolveIncident: [WRITE, changes("incident.resolve", "id"), (needs) => changeByMember(needs, "resolve")],
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

function readState(given: string): IncidentState | undefined {
  if (given === "") return undefined;
  const state = incidentStates.find((known) => known === given);
  if (state) return state;
  const message = say("one_of", { allowed: incidentStates });
  throw validationFault([{ pointer: "/state", code: "field.invalid", message }]);
}

/** A change requested by a member or the operator. */
function changeByMember(needs: Pick<Needs, "store" | "alertEngine">, action: IncidentChange["action"]) {
  return async (
    request: { readonly accountId: string; readonly id: string },
    { audit }: Pick<HandlerContext, "audit">,
  ) => {
    const { id: accountId } = await resolveAccount(needs.store, request);
    const { id } = request;
    const incident = await change(needs, { accountId, id, action, by: audit.actor.name }, audit);
    return { incident: toIncident(incident, needs.alertEngine.ruleSets) };
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
    incident: toIncident(incident, ruleSets),
    timeZone: ruleSets.notifyOf(incident).zone,
    firing: firing.map(toFiring),
    history: history.slice(-MAX_HISTORY_ON_PAGE).map(toPageEntry),
  };
}
