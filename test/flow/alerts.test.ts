import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Incident } from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import type { Message } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { allPages } from "../../src/cli/all-pages.ts";
import { Fault } from "../../src/shared/fault.ts";
import { inParallel } from "../../src/shared/in-parallel.ts";
import { capturedSource, post } from "../harness/http.ts";
import { replicaSet } from "../harness/replica-set.ts";
import { createSignal } from "../harness/signal.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { allCaptured, allMessages } from "../harness/stored.ts";

/** HERMOD_TEST_ALERT_ROUNDS=30 takes ten minutes. */
const ROUNDS = Number(process.env.HERMOD_TEST_ALERT_ROUNDS ?? 2);
/** With a replica set, every other round kills its primary instead of Hermod. */
const { HERMOD_TEST_REPLICA_SET_DIR: replicaSetDir, MONGODB_URL = "" } = process.env;
const CLIENTS = 32;
/** Each rule has its own recipient, who gets at most 1,000 mails per hour. Every other rule groups its alerts. */
const RULES = 40;
const GROUP_SIZE = 4;
const PATH = "/v1/alerts/ingest";

/** An alert that fires and is resolved. */
interface Thing {
  readonly name: string;
  /** The last answered state of its source. */
  fired: boolean;
  ended: boolean;
}

/** Contents of one incident. */
interface Group {
  readonly name: string;
  readonly rule: number;
  readonly things: readonly Thing[];
  /** Changes by members, after its alerts fired and before they are resolved. */
  readonly work: readonly Work[];
  /** Number of answered changes. */
  worked: number;
  incidentId: string;
}

type Work = "acknowledge" | "unacknowledge" | "snooze" | "unsnooze" | "resolve" | "reopen";
/** Each pair leaves the incident open. Only the last one has notices of its own: of the end, and of the reopening. */
const WORK: readonly (readonly Work[])[] = [
  [],
  ["acknowledge", "unacknowledge"],
  ["snooze", "unsnooze"],
  ["resolve", "reopen"],
];
/** A call without an answer may have been carried out. It is repeated. */
const AWAY = ["core.unavailable", "core.timeout", "store.unavailable"];

let hermod: Hermod;
const groups: Group[] = [];
const unexpected: string[] = [];

beforeAll(async () => {
  hermod = await startHermod();
  for (let rule = 0; rule < RULES; rule++)
    await hermod.core.rules.putRule({
      settings: {
        name: `rule-${rule}`,
        match: [{ field: "source", op: "eq", value: { kind: { case: "stringValue", value: `s${rule}` } } }],
        stop: true,
        notify: {
          recipients: [`ops${rule}@example.net`],
          from: "hello@example.com",
          mailsPerHour: 1_000,
          ...(isGrouping(rule) && { groupBy: ["context.group"] }),
        },
      },
    });
});
afterAll(() => hermod.dispose());

const isGrouping = (rule: number) => rule % 2 === 1;

const isReopened = ({ work }: Group) => work.includes("reopen");

/** False: there was no answer, or the store is unavailable. */
async function change({ incidentId: id }: Group, work: Work): Promise<boolean> {
  const { incidents } = hermod.core;
  const until = timestampFromDate(new Date(Date.now() + 3_600_000));
  const calls: Readonly<Record<Work, () => Promise<unknown>>> = {
    acknowledge: () => incidents.acknowledgeIncident({ id }),
    unacknowledge: () => incidents.unacknowledgeIncident({ id }),
    snooze: () => incidents.snoozeIncident({ id, until }),
    unsnooze: () => incidents.endIncidentSnooze({ id }),
    resolve: () => incidents.resolveIncident({ id }),
    reopen: () => incidents.reopenIncident({ id }),
  };
  try {
    await calls[work]();
    return true;
  } catch (error) {
    const { code } = Fault.from(error);
    if (!AWAY.includes(code)) unexpected.push(`${work} ${code}`);
    return false;
  }
}

/** False: there was no answer, or the store is unavailable. */
async function tell(of: Group, { name }: Thing, status: "firing" | "resolved") {
  const { name: group, rule } = of;
  const alert = { event_type: "down", severity: "warning", source: `s${rule}`, message: `${name} is down` };
  const headers = { "idempotency-key": `${name}.${status}` };
  const body = { ...alert, entity_id: name, status, context: { group } };
  const answer = await post(hermod, body, { path: PATH, headers }).catch(() => undefined);
  const isAway = answer?.status === 503 || answer?.problem.code === "idempotency.in_flight";
  if (answer && answer.status !== 202 && !isAway) unexpected.push(`${answer.status} ${answer.problem.code}`);
  if (answer?.status === 202 && status === "firing") {
    const { incident_ids: ids } = answer.accepted as unknown as { readonly incident_ids: readonly string[] };
    of.incidentId = ids[0] ?? "";
  }
  return answer?.status === 202;
}

/** Fires all alerts of a group, changes its incident, then resolves the alerts, while requests are answered. */
async function goOn(group: Group, onAnswer: () => void = () => undefined): Promise<boolean> {
  for (const thing of group.things) {
    thing.fired ||= await tell(group, thing, "firing");
    if (!thing.fired) return false;
    onAnswer();
  }
  for (; group.worked < group.work.length; group.worked++) {
    const work = group.work[group.worked];
    if (work && !(await change(group, work))) return false;
  }
  for (const thing of group.things) {
    thing.ended ||= await tell(group, thing, "resolved");
    if (!thing.ended) return false;
    onAnswer();
  }
  return true;
}

/** Processes one group after the other, until a request is not answered. */
async function client(round: number, number: number, strike: Strike): Promise<void> {
  for (let i = 0; !strike.isOver; i++) {
    const name = `g${round}-${number}-${i}`;
    const rule = (number + i) % RULES;
    const size = isGrouping(rule) ? GROUP_SIZE : 1;
    const things = Array.from({ length: size }, (_, n) => ({
      name: `${name}.${n}`,
      fired: false,
      ended: false,
    }));
    const work = WORK[randomInt(WORK.length)] ?? [];
    const group: Group = { name, rule, things, work, worked: 0, incidentId: "" };
    groups.push(group);
    if (!(await goOn(group, strike.onAnswer)) && strike.isDeadly) return;
  }
}

interface Strike {
  readonly onAnswer: () => void;
  /** Whether it ends the process to which clients are connected. */
  readonly isDeadly: boolean;
  isOver: boolean;
}

it(`${ROUNDS} strikes at random moments lose no notification and double none, also of incidents that members change`, {
  timeout: 60_000 + ROUNDS * 90_000,
}, async () => {
  const set = replicaSetDir ? replicaSet(replicaSetDir, MONGODB_URL) : undefined;
  let loadMs = 0;
  let answers = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const isDeadly = !set || round % 2 === 0;
    const answered = createSignal<number>();
    const onAnswer = () => {
      answers++;
      answered.tell(answers);
    };
    const strike: Strike = { onAnswer, isDeadly, isOver: false };
    const began = performance.now();
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(round, number, strike));
    await answered.until(1);
    await sleep(randomInt(50, 4_000));
    loadMs += performance.now() - began;
    if (isDeadly) await hermod.kill();
    else await set.killPrimary();
    strike.isOver = true;
    await Promise.all(clients);
    if (isDeadly) hermod = await hermod.restart();
  }
  // Like sources after a lost answer: the same key and the same body.
  await inParallel(groups, CLIENTS, async (group) => {
    await eventually(async () => ((await goOn(group)) ? true : undefined), 60_000);
  });
  expect(unexpected).toEqual([]);

  // A process that was killed after it had settled a notification gets some time to send it, before others do.
  const incidents = await eventually(async () => {
    const all = await allIncidents();
    return all.every(({ state, nextNoticeAt }) => state === "resolved" && !nextNoticeAt) ? all : undefined;
  }, 90_000);
  expect(incidents.length).toBe(groups.length);
  expect(incidents.filter(({ notices, trouble }) => notices < 2 || trouble !== "")).toEqual([]);
  const notices = incidents.reduce((sum, incident) => sum + incident.notices, 0);
  // A notification that is sent twice is captured twice.
  const captured = await eventually(async () => {
    const all = await allCaptured(hermod);
    return all.length >= notices ? all : undefined;
  }, 60_000);
  expect(captured.length).toBe(notices);

  const mails = mailsByGroup((await allMessages(hermod)).filter(({ source }) => source === "alert"));
  const several: Group[] = [];
  for (const group of groups) {
    const { name, rule, things } = group;
    const incident = incidents.find(({ title }) => title.includes(`${name}.0 is down`));
    expect([name, incident?.alerts]).toEqual([name, 2 * things.length]);
    const subject = `[warning] s${rule}: ${name}.0 is down (${name}.0)`;
    const again = Array.from({ length: (incident?.notices ?? 0) - 1 }, () => `Re: ${subject}`);
    const own = mails.get(name) ?? [];
    expect(own.map((mail) => mail.subject).sort()).toEqual([...again, subject].sort());
    expect(new Set(own.map(({ recipient }) => recipient))).toEqual(new Set([`ops${rule}@example.net`]));
    if (isGrouping(rule) && (incident?.notices ?? 0) > 2) several.push(group);
    else if (!isGrouping(rule)) expect([name, incident?.notices]).toEqual([name, isReopened(group) ? 4 : 2]);
  }
  // An alert that follows the first notification is in a second one if it still fired then, and no alert is reported
  // twice.
  for (const group of several) {
    const { name } = group;
    const told = await Promise.all((mails.get(name) ?? []).map(({ id }) => thingsIn(id)));
    // The notice of a reopening names all alerts again.
    const news = told.filter(({ reason }) => reason !== "resolved" && reason !== "reopened");
    const named = news.flatMap(({ things }) => things);
    expect([name, named.length]).toEqual([name, new Set(named).size]);
    const counts = ["resolved", "reopened"].map((one) => told.filter(({ reason }) => reason === one).length);
    expect([name, counts]).toEqual([name, isReopened(group) ? [2, 1] : [1, 0]]);
  }
  process.stdout.write(
    `alerts: ${answers} answered at ${Math.round(answers / (loadMs / 1_000))}/s, ${ROUNDS} strikes, ${incidents.length} incidents, ${notices} notices, of ${several.length} groups several\n`,
  );
});

function allIncidents(): Promise<Incident[]> {
  return allPages(
    (pageToken) => hermod.core.incidents.listIncidents({ pageToken, pageSize: 1_000 }),
    (page) => page.incidents,
  );
}

function mailsByGroup(all: readonly Message[]): Map<string, Message[]> {
  const found = new Map<string, Message[]>();
  for (const message of all) {
    const [, name = ""] = /(g[\d-]+)\.0 is down/.exec(message.subject) ?? [];
    found.set(name, [...(found.get(name) ?? []), message]);
  }
  return found;
}

/** Alerts named in a mail. */
async function thingsIn(messageId: string): Promise<{ readonly reason: string; readonly things: string[] }> {
  const source = (await capturedSource(hermod, messageId))?.toString("utf8") ?? "";
  const [, reason = ""] = /^X-Hermod-Notice: \d+; (\w+);/m.exec(source) ?? [];
  const [text = ""] = source.split("<!doctype html>");
  const body = text.slice(text.indexOf("\r\n\r\n"));
  return { reason, things: [...new Set(body.match(/g[\d-]+\.\d+(?= is down)/g) ?? [])] };
}
