import { readFile } from "node:fs/promises";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { simpleParser } from "mailparser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Alertmanager, startAlertmanager } from "../harness/alertmanager.ts";
import { type FakeRelay, startFakeRelay } from "../harness/fake-relay.ts";
import { capturedSource } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { allCaptured } from "../harness/stored.ts";
import { freePort } from "../harness/tcp-proxy.ts";
import { tool } from "../harness/tools.ts";

const alertmanager = tool("alertmanager");

const PAGE = "docs/explanation/alertmanager.md";
/** Times of both, in seconds: the wait before the first mail of a group, and the interval of further mails. */
const WAIT = 10;
const INTERVAL = 60;

/** Alertmanager, with one mail for all alerts of a name. A mail lists active alerts with `+`, and ended ones with `-`. */
const configOf = (port: number) => `
global:
  smtp_smarthost: 127.0.0.1:${port}
  smtp_from: alertmanager@example.com
  smtp_require_tls: false
route:
  receiver: mail
  group_by: [alertname]
  group_wait: ${WAIT}s
  group_interval: ${INTERVAL}s
  repeat_interval: 4h
receivers:
  - name: mail
    email_configs:
      - to: oncall@example.net
        send_resolved: true
        headers: { Subject: "{{ .GroupLabels.alertname }}" }
        html: ""
        text: "{{ range .Alerts.Firing }}+{{ .Labels.instance }} {{ end }}{{ range .Alerts.Resolved }}-{{ .Labels.instance }} {{ end }}"
`;

/** One step of a stream, for the alerts of a group. */
interface Report {
  readonly instance: string;
  readonly severity?: "warning" | "critical";
  readonly isOver?: boolean;
}

/** Rows of the table in the documentation, by their number: mails of Alertmanager and of Hermod. */
async function documented(): Promise<Map<string, readonly string[]>> {
  const rows = (await readFile(PAGE, "utf8")).matchAll(/^\| (\d+) \| [^|]* \| ([^|]*) \| ([^|]*) \|/gm);
  return new Map([...rows].map(([, number = "", ...cells]) => [number, cells]));
}

describe.skipIf(alertmanager.missing)(
  `Alertmanager and Hermod on one stream of alerts${alertmanager.note}`,
  () => {
    let hermod: Hermod;
    let relay: FakeRelay;
    let other: Alertmanager;
    let key: string;

    beforeAll(async () => {
      hermod = await startHermod({ settings: { HERMOD_HTTP_PORT: String(await freePort()) } });
      const notify = {
        recipients: ["oncall@example.net"],
        from: "hello@example.com",
        groupBy: ["event_type"],
        waitSeconds: WAIT,
        intervalSeconds: INTERVAL,
      };
      await hermod.core.rules.putRule({ settings: { name: "pager", notify } });
      ({ secret: key } = await hermod.core.keys.createKey({ name: "monitor", scopeMode: "alerts_only" }));
      relay = await startFakeRelay();
      other = await startAlertmanager(() => configOf(relay.port));
    }, 120_000);
    afterAll(async () => {
      await other?.stop();
      await relay?.close();
      await hermod?.dispose();
    });

    /** Mails of both about a group, in the order of their arrival. */
    async function mailsOf(group: string): Promise<readonly [string[], string[]]> {
      const read = await Promise.all(relay.received.map(({ source }) => simpleParser(source)));
      const theirs = read.filter(({ subject }) => subject === group).map(({ text }) => text?.trim() ?? "");
      const captured = (await allCaptured(hermod)).filter(({ subject }) => subject.includes(group));
      const own = await Promise.all(
        captured.map(async ({ id }) => simpleParser((await capturedSource(hermod, id)) ?? "")),
      );
      const numbered = own.map((mail) => {
        const text = mail.text ?? "";
        const names = new Set([...text.matchAll(/\bhost ([a-z])\b/g)].map(([, name]) => `+${name}`));
        const number = Number(/^\d+/.exec(String(mail.headers.get("x-hermod-notice")))?.[0]);
        const at = mail.headers.get("x-hermod-incident");
        const shown = mail.headers.get("x-hermod-state") === "resolved" ? "end" : [...names].sort().join(" ");
        return { order: `${at} ${String(number).padStart(3, "0")}`, shown };
      });
      numbered.sort((a, b) => (a.order < b.order ? -1 : 1));
      return [theirs, numbered.map(({ shown }) => shown)];
    }

    async function report(group: string, ...reports: readonly Report[]): Promise<void> {
      const now = new Date().toISOString();
      await other.send(
        ...reports.map(({ instance, severity = "critical", isOver }) => ({
          labels: { alertname: group, instance, severity },
          ...(isOver && { endsAt: now }),
        })),
      );
      for (const { instance, severity = "critical", isOver } of reports) {
        const response = await fetch(`${hermod.firstRun.base_url}/v1/alerts/ingest`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": key },
          body: JSON.stringify({
            event_type: group,
            severity,
            source: "monitor",
            message: `${group} on host ${instance}`,
            entity_type: "host",
            entity_id: instance,
            status: isOver ? "resolved" : "firing",
          }),
        });
        expect(response.status).toBe(202);
      }
    }

    /** Waits until both have sent at least this many mails about a group. */
    const until = (group: string, theirs: number, own: number) =>
      eventually(
        async () => {
          const [one, two] = await mailsOf(group);
          return one.length >= theirs && two.length >= own ? true : undefined;
        },
        3 * INTERVAL * 1_000,
      );

    const over = (instance: string, more: Partial<Report> = {}): Report => ({
      instance,
      isOver: true,
      ...more,
    });
    const active = (instance: string, more: Partial<Report> = {}): Report => ({ instance, ...more });

    const streams: Readonly<Record<string, (group: string) => Promise<void>>> = {
      1: async (group) => {
        await report(group, active("a"));
        await until(group, 1, 1);
        await report(group, active("b"));
        await until(group, 2, 2);
      },
      2: async (group) => {
        await report(group, active("a"), active("b"));
        await until(group, 1, 1);
        await report(group, over("a"));
        await until(group, 2, 1);
        await report(group, over("b"));
        await until(group, 3, 2);
      },
      3: async (group) => {
        await report(group, active("a", { severity: "warning" }));
        await until(group, 1, 1);
        await other.send({
          labels: { alertname: group, instance: "a", severity: "warning" },
          endsAt: new Date().toISOString(),
        });
        await report(group, active("a"));
        await until(group, 2, 2);
      },
      4: async (group) => {
        await report(group, active("a"));
        await report(group, over("a"));
      },
      5: async (group) => {
        await report(group, active("a"));
        await until(group, 1, 1);
        await other.silence({ alertname: group });
        await hermod.core.silences.createSilence({
          match: [
            {
              field: "event_type",
              op: "eq",
              value: create(ValueSchema, { kind: { case: "stringValue", value: group } }),
            },
          ],
          endsAt: timestampFromDate(new Date(Date.now() + 3_600_000)),
          comment: "test",
        });
        await report(group, over("a"));
        await until(group, 1, 2);
      },
      6: async (group) => {
        await report(group, active("a"));
        await until(group, 1, 1);
        await report(group, over("a"));
        await report(group, active("a"));
        await until(group, 1, 3);
      },
    };

    it("send the mails that the documentation compares", async () => {
      const groups = Object.entries(streams).map(([number, run]) => ({
        number,
        run,
        group: `Stream${number}`,
      }));
      await Promise.all(groups.map(({ run, group }) => run(group)));
      // A later group has all intervals behind it when its own second mail is sent.
      await report("Last", active("a"));
      await until("Last", 1, 1);
      await report("Last", active("b"));
      await until("Last", 2, 2);

      // The seventh stream: both programs end without a chance to store anything.
      await report("Stream7", active("a"));
      await until("Stream7", 1, 1);
      await hermod.kill();
      await other.crash();
      hermod = await hermod.restart();
      await report("Stream7", active("a"));
      await until("Stream7", 2, 1);
      await report("Stream7", over("a"));
      await until("Stream7", 3, 2);

      const expected = await documented();
      const found = new Map<string, readonly string[]>();
      for (const number of [...groups.map((one) => one.number), "7"]) {
        const cells = (await mailsOf(`Stream${number}`)).map((mails) =>
          mails.length === 0 ? "none" : mails.map((mail) => `\`${mail}\``).join(", then "),
        );
        found.set(number, cells);
      }
      expect(found).toEqual(expected);
    }, 900_000);
  },
);
