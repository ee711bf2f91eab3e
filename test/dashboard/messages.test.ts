import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, LOST_PARTS, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type FakeRelay, smtpReply, startFakeRelay } from "../harness/fake-relay.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

describe.skipIf(browser.missing)(`the pages of messages${browser.note}`, () => {
  let world: DashboardWorld;
  let relay: FakeRelay;
  let visit: Visit;
  let page: Page;
  /** Sends a request to the API in the session of the page. */
  const api = async (method: "get" | "post", path: string) => {
    const answer = await visit.context.request[method](`${world.url}/api${path}`, {
      headers: { origin: world.url },
    });
    return answer.json();
  };
  const row = (text: string) => page.locator("tbody tr", { hasText: text });
  const rows = () => page.locator("tbody tr");
  const open = async (path: string) => {
    await page.goto(`${world.url}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };

  beforeAll(async () => {
    relay = await startFakeRelay();
    world = await openDashboard();
    const servers = [{ host: "127.0.0.1", port: relay.port }];
    const transports = [{ kind: { case: "smtp" as const, value: { servers, tls: "none" } } }];
    await world.hermod.core.policies.putPolicy({ policy: { name: "relay", transports } });
    await world.send({ to: "ines@northwind.example", subject: "Your receipt", tags: ["receipts"] });
    await world.send({ to: "paul@greylist.example", subject: "Reset your password", tags: ["auth"] });
    visit = await world.signIn("/messages");
    page = visit.page;
    // Invalid queries, a lost connection, and the script of a mail, which does not run.
    visit.tolerate(/status of 422|ERR_|Blocked script execution/);
    visit.tolerate(LOST_PARTS);
  });
  afterAll(async () => {
    await world?.dispose();
    await relay?.close();
  });

  it("finds messages with one query that stays in the address, and counts the matches", async () => {
    await row("ines@northwind.example").waitFor();
    await page.getByText("2 messages", { exact: true }).waitFor();
    const box = page.getByRole("searchbox", { name: "Search messages" });
    await box.fill("tag:auth to:@greylist.example");
    await row("ines@northwind.example").waitFor({ state: "detached" });
    await row("paul@greylist.example").waitFor();
    expect(await rows().count()).toBe(1);
    await page.getByText("1 message", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("tag:auth to:@greylist.example");
    await page.reload();
    await row("paul@greylist.example").waitFor();
    expect(await box.inputValue()).toBe("tag:auth to:@greylist.example");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await row("ines@northwind.example").waitFor();
    expect(await box.inputValue()).toBe("");
  });

  it("marks the invalid part of a query below the box, and keeps the input", async () => {
    const box = page.getByRole("searchbox", { name: "Search messages" });
    await box.fill("receipt state:bouncd");
    const fault = page.getByRole("alert");
    await fault.getByText("must be one of").waitFor();
    expect(await fault.locator("mark").allTextContents()).toEqual(["state:bouncd"]);
    expect(await box.inputValue()).toBe("receipt state:bouncd");
    expect(await page.getByText("No messages yet").count()).toBe(0);
    expect(await visit.violations("it is")).toEqual([]);
    await page.getByRole("button", { name: "Search help" }).click();
    await page.getByText("Quote text with spaces or a colon.").waitFor();
    expect(await visit.violations("it is")).toEqual([]);
    await page.keyboard.press("Escape");
    await box.fill("");
    await row("ines@northwind.example").waitFor();
  });

  it("filters with menus, and keeps the filters in the address", async () => {
    await page.getByRole("button", { name: /^State/ }).click();
    await page.getByRole("menuitemcheckbox", { name: "Captured" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Bounced" }).click();
    expect(await visit.violations("it is")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Accepted any time" }).click();
    expect(await visit.violations("it is")).toEqual([]);
    await page.getByRole("button", { name: "Last hour" }).click();
    await page.waitForURL((url) => url.searchParams.has("from"));
    expect(new URL(page.url()).searchParams.get("state")).toBe("captured,bounced");
    await page.reload();
    await row("ines@northwind.example").waitFor();
    await page.getByRole("button", { name: "State Captured, Bounced" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("button", { name: "State any" }).waitFor();
  });

  it("remembers the columns in this browser", async () => {
    const heading = page.getByRole("columnheader", { name: "Policy" });
    expect(await heading.count()).toBe(0);
    await page.getByRole("button", { name: "View" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Policy" }).click();
    await page.getByRole("menuitemradio", { name: "Compact" }).click();
    expect(await visit.violations("it is")).toEqual([]);
    await heading.waitFor();
    await page.reload();
    await heading.waitFor();
    const height = await row("ines@northwind.example").evaluate((one) => one.getBoundingClientRect().height);
    expect(height).toBe(34);
  });

  it("moves no row under the pointer: new messages wait until the user asks for them", async () => {
    await row("ines@northwind.example").hover();
    const before = await rows().allTextContents();
    await world.send({ to: "new@adatum.example", subject: "Just now" });
    const button = page.getByRole("button", { name: "1 new message" });
    await button.waitFor();
    expect(await rows().allTextContents()).toEqual(before);
    expect(await visit.violations("it is")).toEqual([]);
    await button.click();
    await row("new@adatum.example").waitFor();
    expect(await rows().first().textContent()).toContain("new@adatum.example");
    await page.getByText("3 messages", { exact: true }).waitFor();
  });

  it("adds new messages automatically at the top, and changes states in place", async () => {
    await page.mouse.move(5, 5);
    await page.keyboard.press("Escape");
    const id = await world.send({ to: "later@wingtip.example", send_at: tomorrow() });
    await row("later@wingtip.example").getByText("Scheduled").waitFor();
    await world.send({ to: "last@adatum.example" });
    await row("last@adatum.example").waitFor();
    await row("later@wingtip.example").hover();
    await api("post", `/messages/${id}/cancel`);
    await row("later@wingtip.example").getByText("Canceled").waitFor();
    expect(await rows().nth(1).textContent()).toContain("later@wingtip.example");
  });

  it("moves with j and k, selects with x, clears with Escape and opens with Enter", async () => {
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    for (const key of ["j", "j", "ArrowDown", "k"]) await page.keyboard.press(key);
    expect(await focused()).toBe("later@wingtip.example");
    await page.keyboard.press("x");
    await page.getByText("1 message selected").waitFor();
    expect(await visit.violations("it is")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByText("1 message selected").waitFor({ state: "detached" });
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/messages/msg_*");
    await page.getByText("last@adatum.example").first().waitFor();
    await page.goBack();
    await row("last@adatum.example").waitFor();
  });

  it("exports the messages that match the filters", async () => {
    await open("/messages?tag=receipts");
    await row("ines@northwind.example").waitFor();
    await page.getByRole("button", { name: "Export" }).click();
    expect(await visit.violations("it is")).toEqual([]);
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "As CSV" }).click();
    const file = await (await download).path();
    const lines = (await readFile(file, "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("ines@northwind.example");
  });

  it("cancels all matches with a job that is counted, confirmed, and found again after leaving the page", async () => {
    const sent = await Promise.all(
      ["a", "b", "c"].map((name) =>
        world.send({ to: `${name}@wingtip.example`, tags: ["spring"], send_at: tomorrow() }),
      ),
    );
    await world.send({ to: "d@wingtip.example", tags: ["spring"] });
    await open("/messages?tag=spring");
    await row("d@wingtip.example").getByText("Captured").waitFor();
    await page.getByRole("button", { name: "All matches" }).click();
    await page.getByRole("menuitem", { name: "Cancel messages" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("4 messages are selected.").waitFor();
    await dialog.getByText('"Cancel messages" is possible for 3 messages of them now.').waitFor();
    expect(await visit.violations()).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel messages: 3 messages" }).dblclick();
    await page.waitForURL("**/jobs/job_*");
    await page.getByRole("heading", { name: "Messages: cancel messages" }).waitFor();
    await page.getByRole("link", { name: "Jobs" }).last().click();
    await page.getByRole("link", { name: "Messages: cancel messages" }).click();
    await page.getByText("4 of 4").waitFor();
    await page.getByText("Succeeded").waitFor();
    await expect.poll(() => page.getByRole("cell", { name: "Done" }).count()).toBe(3);
    expect(await page.getByRole("cell", { name: "Skipped" }).count()).toBe(1);
    expect(await visit.violations()).toEqual([]);
    const states = await Promise.all(
      sent.map(async (id) => (await api("get", `/messages/${id}`)).message.state),
    );
    expect(states).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect((await api("get", "/jobs")).data).toHaveLength(1);
  });

  it("sends the selected messages again", async () => {
    await open("/messages?tag=receipts");
    await page.getByRole("checkbox", { name: "Select the message to ines@northwind.example" }).check();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("button", { name: "Send again: 1 message" }).click();
    await page.waitForURL("**/jobs/job_*");
    await page.getByText("1 of 1").waitFor();
    await open("/messages?tag=receipts");
    await expect.poll(() => row("ines@northwind.example").count()).toBe(2);
  });

  it("shows that the list is not live while the connection is lost, and catches up", async () => {
    await open("/messages");
    await page.getByText("Live", { exact: true }).waitFor();
    const stream = (url: URL) => url.pathname === "/api/events";
    await page.route(stream, (route) => route.abort());
    await visit.context.setOffline(true);
    await page.getByText("Not live").waitFor();
    await visit.context.setOffline(false);
    await page.unroute(stream);
    await world.send({ to: "meanwhile@adatum.example" });
    await page.getByText("Live", { exact: true }).waitFor();
    await row("meanwhile@adatum.example").waitFor();
  });

  it("shows the state of a waiting message with policy, rule and conversation, and retries it now", async () => {
    relay.answerRecipient(() => smtpReply(451, "4.7.1 Greylisted, come back in 4 minutes"));
    const id = await world.send({
      to: "paul@greylist.example",
      routing_policy: "relay",
      subject: "Come back",
    });
    await open(`/messages/${id}`);
    await page.getByText(/^Waiting\. The next attempt is .*, in \d/).waitFor();
    const attempt = page.getByRole("listitem").filter({ hasText: "Attempt 1: deferred" });
    await attempt.getByText(/^Policy relay, revision rev_\w+, no rule$/).waitFor();
    await attempt
      .getByText("The policy has no rules. Its own transports are used for every recipient.")
      .waitFor();
    await attempt.getByText(/from 127\.0\.0\.1, not encrypted/).waitFor();
    await attempt.getByText("RCPT TO:<paul@greylist.example>").waitFor();
    await page.getByRole("listitem").filter({ hasText: "The server asked for a longer wait" }).waitFor();
    expect(await visit.violations()).toEqual([]);
    relay.answerRecipient(undefined);
    await page.getByRole("button", { name: "Try now" }).click();
    // The page gets the change from the event stream.
    await page.getByText(/^Delivered to the recipient's server/).waitFor();
    expect(relay.received.map(({ to }) => to)).toEqual([["paul@greylist.example"]]);
    expect((await api("get", `/messages/${id}`)).message.state).toBe("delivered");
  });

  it("shows the reason of a suppression, removes it, and sends the message again", async () => {
    relay.answerRecipient(() => smtpReply(550, "5.1.1 No such user"));
    const id = await world.send({ to: "gone@fabrikam.example", routing_policy: "relay" });
    await open(`/messages/${id}`);
    await page.getByText("Refused by the recipient's server. Hermod does not try again.").waitFor();
    const entry = page.getByRole("region", { name: "The recipient is on the suppression list" });
    await entry.getByText(/^Reason: Bounced, since .* No such user$/).waitFor();
    expect(await visit.violations()).toEqual([]);
    await entry.getByRole("button", { name: "Remove from suppression" }).click();
    await page
      .getByRole("dialog")
      .getByText(/for this reason: Bounced, .*No such user/)
      .waitFor();
    expect(await visit.violations()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Remove from suppression" }).click();
    await entry.waitFor({ state: "detached" });
    expect((await api("get", "/suppressions")).data).toEqual([]);
    relay.answerRecipient(undefined);
    await page.getByRole("button", { name: "Send again" }).dblclick();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText(/^Delivered to the recipient's server/).waitFor();
    expect(relay.received.filter(({ to }) => to.includes("gone@fabrikam.example"))).toHaveLength(1);
  });

  it("shows the contents of a message: preview in several widths and in dark, text, source, headers and attachments", async () => {
    const dark = "@media (prefers-color-scheme: dark) { body { background: rgb(1, 2, 3) } }";
    const id = await world.send({
      html: `<style>${dark}</style><p>Shipped.</p><script>document.title = "run"</script>`,
      text: "Shipped, in text.",
      attachments: [{ filename: "invoice.pdf", content: Buffer.from("%PDF-1.7").toString("base64") }],
    });
    await open(`/messages/${id}`);
    // The navigation of the dashboard has a link of the same name as a tab.
    const tabs = page.getByRole("navigation", { name: "Details" });
    const tab = (name: string) => tabs.getByRole("link", { name, exact: true }).click();
    await tab("Preview");
    const element = page.locator('iframe[title="HTML of the message"]');
    const frame = page.frameLocator('iframe[title="HTML of the message"]');
    await frame.getByText("Shipped.").waitFor();
    expect(await element.getAttribute("sandbox")).toBe("");
    await page.getByText("Phone", { exact: true }).click();
    expect(await element.evaluate((one) => one.getBoundingClientRect().width)).toBe(375);
    // Without this, the browser of the tests emulates a color scheme.
    await page.emulateMedia({ colorScheme: null });
    await page.getByText("Dark", { exact: true }).click();
    const background = () =>
      frame.locator("body").evaluate((body) => {
        const { getComputedStyle: styleOf } = globalThis as unknown as {
          getComputedStyle(element: unknown): { readonly backgroundColor: string };
        };
        return styleOf(body).backgroundColor;
      });
    await expect.poll(background, { timeout: 30_000 }).toBe("rgb(1, 2, 3)");
    expect(await visit.violations("it is")).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
    await tab("Text");
    await page.getByText("Shipped, in text.").waitFor();
    await tab("HTML source");
    await page.getByText("<p>Shipped.</p>").waitFor();
    await tab("Headers");
    await page.getByText("MIME-Version", { exact: true }).waitFor();
    await tab("Source");
    await page.getByText(/^Date: .*Content-Type: multipart/s).waitFor();
    expect(await visit.violations()).toEqual([]);
    await tab("Attachments");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "invoice.pdf" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toBe("%PDF-1.7");
    await page.getByText("8 bytes").waitFor();
    expect(await visit.violations()).toEqual([]);
    await tab("Webhooks");
    await page.getByText("No webhooks were sent for this message").waitFor();
    expect(await page.title()).not.toBe("run");
  });

  it("shows the incident of a message", async () => {
    const notify = { recipients: ["oncall@example.org"], from: world.hermod.firstRun.sender };
    await world.hermod.core.rules.putRule({ settings: { name: "pager", notify } });
    const taken = await world.report({
      event_type: "disk.full",
      severity: "critical",
      source: "cron",
      message: "/var is full",
    });
    const { incident_ids, message_ids } = (await taken.json()) as Record<string, string[]>;
    const [incident = "", message = ""] = [incident_ids?.[0], message_ids?.[0]];
    await open(`/messages/${message}`);
    await page.getByText(incident, { exact: true }).waitFor();
    expect((await api("get", `/messages/${message}`)).message.incident_id).toBe(incident);
  });

  it("has no accessibility error and no horizontal scroll in its lists", async () => {
    await open("/messages?tag=receipts");
    await row("ines@northwind.example").first().waitFor();
    expect(await visit.violations()).toEqual([]);
    // The list has the density that an earlier test has set.
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await visit.violations("it is")).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 860 });
    await open("/jobs");
    await page.getByRole("link", { name: "Messages: send again" }).waitFor();
    expect(await visit.violations()).toEqual([]);
    await page.getByRole("combobox", { name: "Job" }).click();
    await page.getByRole("option", { name: "Replay of webhooks" }).click();
    await page.getByText("No job matches these filters").waitFor();
    expect(new URL(page.url()).search).toBe("?kind=webhook.replay");
    await open("/jobs?kind=message.bulk&state=failed");
    await page.getByText("No job matches these filters").waitFor();
    // Parameters that the page does not know are removed.
    await open("/jobs?kind=message.bulk&state=none&campaign=spring");
    await page.getByRole("link", { name: "Messages: send again" }).waitFor();
    expect(new URL(page.url()).search).toBe("?kind=message.bulk");
  });

  it.each(["State", "Accepted any time", "Search help", "Export", "View"])(
    "has no accessibility error with the menu %s open",
    async (name) => {
      await open("/messages?tag=receipts");
      await row("ines@northwind.example").first().waitFor();
      const opener = page.getByRole("button", { name: new RegExp(`^${name}`) });
      const faults = await visit.violations(async () => {
        // A narrow window has no menu for columns.
        if (!(await opener.isVisible())) return;
        await opener.click();
        await page.locator('[aria-expanded="true"]').first().waitFor();
      });
      expect(faults).toEqual([]);
    },
  );
});
