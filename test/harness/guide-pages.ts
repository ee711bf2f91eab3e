import type { Page } from "playwright-core";
import { expect } from "vitest";
import { askOn } from "./browser.ts";
import type { DashboardWorld } from "./dashboard-world.ts";
import { type FakeRelay, smtpReply } from "./fake-relay.ts";
import { eventually } from "./start-hermod.ts";

/** A picture of the user guide. */
export interface GuidePicture {
  /** File name without `.png`, in `docs/images/guide`. */
  readonly name: string;
  /** Path of the page in the dashboard. */
  readonly at: string;
  /** Text that the page shows when it is complete. */
  readonly shows: string;
  /** Opens the part of the page that the picture shows. */
  readonly open?: (page: Page) => Promise<void>;
}

/** Ids of the account that `fillGuide` fills. */
export interface GuideThings {
  readonly bounced: string;
  readonly incident: string;
  readonly webhook: string;
  /** A watched domain that was checked. */
  readonly watch: string;
  /** The client of this domain. */
  readonly client: string;
}

const SHOP = "shop.example.org";
/** A watched domain with an SPF record that permits everyone. */
export const WATCHED = "nordwind.example.com";

export const guidePictures = ({
  bounced,
  incident,
  webhook,
  watch,
  client,
}: GuideThings): readonly GuidePicture[] => [
  { name: "start", at: "/start", shows: "of 7" },
  { name: "overview", at: "/", shows: "Messages every hour" },
  { name: "messages", at: "/messages", shows: "Your receipt" },
  { name: "message", at: `/messages/${bounced}`, shows: "Remove from suppression" },
  { name: "sandbox", at: "/sandbox?subject=Your+password", shows: "Download source" },
  { name: "suppressions", at: "/suppressions", shows: "Bounced" },
  { name: "domain", at: `/domains/${SHOP}`, shows: "Zone file" },
  { name: "templates", at: "/templates/-/new", shows: "Greets a new user" },
  { name: "template", at: "/templates/receipt", shows: "Save draft" },
  { name: "keys", at: "/keys", shows: "Web shop" },
  { name: "policy", at: "/policies/newsletter", shows: "Copy as a new policy" },
  { name: "webhook", at: `/webhooks/${webhook}?tab=verify`, shows: "Node.js" },
  { name: "events", at: "/webhooks/events", shows: "A server accepted the message." },
  { name: "incidents", at: "/incidents", shows: "/var is 97 % full" },
  { name: "incident", at: `/incidents/${incident}`, shows: "Alerts received" },
  { name: "alerts", at: "/alerts", shows: "Active alerts" },
  { name: "alert-setup", at: "/alerts/set-up/alertmanager", shows: "alertmanager.yml" },
  { name: "alert-rule", at: "/alert-rules/pager", shows: "Copy as a new rule" },
  { name: "targets", at: "/targets", shows: "ops-channel" },
  { name: "on-call", at: "/on-call/primary", shows: "is on call until" },
  { name: "silences", at: "/silences", shows: "The backup host restarts" },
  { name: "heartbeats", at: "/heartbeats", shows: "Nightly backup" },
  { name: "watched-domain", at: `/intel/domains/${watch}`, shows: "After the repair, the score rises" },
  { name: "client", at: `/intel/clients/${client}`, shows: "There is a DMARC record" },
  { name: "import", at: "/intel/import", shows: "client_ref" },
  { name: "reports", at: "/intel/reports", shows: "Create a report" },
  { name: "members", at: "/account/members", shows: "bob@example.net" },
  { name: "audit", at: "/account/audit", shows: "Alert rules" },
  { name: "retention", at: "/account/retention", shows: "Request log from the request" },
];

/** Fills an account as a small shop has it. */
export async function fillGuide(world: DashboardWorld, page: Page, relay: FakeRelay): Promise<GuideThings> {
  const { core } = world.hermod;
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await askOn(page, method, `/api${path}`, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const reaches = (id: string, state: string) =>
    eventually(async () => ((await ask("GET", `/messages/${id}`)).message.state === state ? id : undefined));

  await core.policies.putPolicy({
    policy: {
      name: "newsletter",
      transports: [
        {
          kind: { case: "smtp", value: { servers: [{ host: "127.0.0.1", port: relay.port }], tls: "none" } },
        },
      ],
      maxAgeSeconds: 86_400,
      limits: { messagesPerMinute: 120 },
    },
  });
  await core.domains.addDomain({ domain: SHOP });
  await fillMessages();
  for (const name of ["Web shop", "Newsletter"]) await core.keys.createKey({ name });
  await ask("POST", "/suppressions", { address: "carol@example.net", reason: "manual" });
  const { subject, html, text } = await ask("GET", "/built-in-templates/receipt");
  await core.templates.putTemplate({ template: { name: "receipt", subject, html, text } });
  const { id: webhook } = await ask("POST", "/webhooks", {
    url: "https://shop.example.com/hooks",
    types: ["message.delivered", "message.bounced"],
  });
  await ask("POST", "/invitations", { email: "bob@example.net", role: "viewer" });
  const incident = await fillAlerts();
  return { bounced: await bouncedOne(), incident, webhook, ...(await watchOne()) };

  async function watchOne(): Promise<Pick<GuideThings, "watch" | "client">> {
    const { id: client } = await ask("POST", "/intel/clients", { name: "Nordwind AG" });
    const { id } = await ask("POST", "/intel/domains", { client_id: client, name: WATCHED });
    return eventually(async () => {
      const { checked_at: at, checking } = await ask("GET", `/intel/domains/${id}`);
      return at !== null && checking === null ? { watch: id, client } : undefined;
    });
  }

  async function fillMessages(): Promise<void> {
    const people = ["ada", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"];
    const sent = await Promise.all(
      people.map((name) =>
        world.send({
          to: `${name}@example.net`,
          subject: `Your receipt for order ${4_711 + people.indexOf(name)}`,
          tags: ["receipt"],
          routing_policy: "newsletter",
        }),
      ),
    );
    for (const id of sent) await reaches(id, "delivered");
    await reaches(await world.send({ to: "ada@example.net", subject: "Your password" }), "captured");
  }

  async function bouncedOne(): Promise<string> {
    relay.answerRecipient(() => smtpReply(550, "5.1.1 No such user"));
    const id = await world.send({
      to: "gone@example.net",
      subject: "Your receipt for order 4720",
      tags: ["receipt"],
      routing_policy: "newsletter",
    });
    await reaches(id, "bounced");
    relay.answerRecipient(undefined);
    return id;
  }

  async function fillAlerts(): Promise<string> {
    await ask("PUT", "/alert-rules/pager", {
      match: [{ field: "severity", op: "gte", value: "warning" }],
      notify: { recipients: ["oncall@example.com"], from: world.hermod.firstRun.sender },
    });
    await ask("POST", "/alert-targets", {
      kind: "slack",
      name: "ops-channel",
      description: "Channel #ops",
      url: "https://hooks.slack.com/services/T000/B000/XXXX",
    });
    const people = ["ada", "bob", "carol"].map((name) => ({ address: `${name}@example.net` }));
    await ask("PUT", "/on-call-schedules/primary", {
      description: "First level",
      layers: [
        {
          name: "Weekly",
          participants: people,
          starts_at: "2026-01-05T08:00:00Z",
          time_zone: "Europe/Berlin",
          shift: { length: 1, unit: "week" },
          handover: { time: "09:00", weekday: 1 },
        },
      ],
      fallback_recipients: ["ops@example.com"],
    });
    await ask("POST", "/on-call-schedules/primary/overrides", {
      participant: { address: "dave@example.net" },
      until: new Date(Date.now() + 2 * 86_400_000).toISOString(),
      comment: "Dentist",
    });
    await ask("POST", "/silences", {
      match: [{ field: "source", op: "eq", value: "backup" }],
      comment: "The backup host restarts",
      weekly: { time_zone: "Europe/Berlin", windows: [{ days: [7], from: "02:00", to: "04:00" }] },
    });
    await ask("POST", "/heartbeats", {
      name: "Nightly backup",
      cron: "30 2 * * *",
      timezone: "Europe/Berlin",
      grace_seconds: 1_800,
    });
    const disk = { event_type: "disk.full", source: "node-exporter", entity_type: "host" };
    const alerts = [
      { ...disk, severity: "critical", message: "/var is 97 % full", entity_id: "web-1" },
      { ...disk, severity: "warning", message: "/tmp is 91 % full", entity_id: "web-2" },
      { event_type: "backup.late", source: "cron", severity: "info", message: "The backup is 2 hours late" },
    ];
    for (const alert of alerts) {
      const answer = await world.report(alert);
      expect(answer.ok).toBe(true);
    }
    return eventually(async () => {
      const { data } = await ask("GET", "/incidents");
      return data.find(({ severity }: { severity: string }) => severity === "critical")?.id as
        | string
        | undefined;
    });
  }
}
