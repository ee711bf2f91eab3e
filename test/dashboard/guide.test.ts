import { readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DashboardWorld, openDashboard, type Visit } from "../harness/dashboard-world.ts";
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts";
import { documentPages } from "../harness/documents.ts";
import { type FakeRelay, startFakeRelay } from "../harness/fake-relay.ts";
import { fillGuide, type GuidePicture, guidePictures, WATCHED } from "../harness/guide-pages.ts";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");
/** Folder to which `npm run pictures` writes. */
const out = process.env.HERMOD_PICTURES;
const FOLDER = "docs/images/guide";
const SIZE = { width: 1100, height: 760 };

/**
 * Texts of a page that do not depend on its data: headings, buttons, tabs and columns, without digits and without the names of
 * months and of calendars.
 */
const frameOf = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll(
    "main h1, main h2, main h3, main button, main [role=tab], main th"
  )].filter((element) => element.checkVisibility() && !element.closest("td, .calendar"))
    .map((element) => element.innerText.replaceAll(/\\s+/g, " ").replaceAll(/[0-9][0-9.,:]*/g, "#")
      .replaceAll(/\\b(January|February|March|April|May|June|July|August|September|October|November|December)\\b/g, "month")
      .trim())
    .filter((text) => text !== "")`);

describe.skipIf(browser.missing)(`pictures of the user guide${browser.note}`, () => {
  let world: DashboardWorld;
  let relay: FakeRelay;
  let dns: DnsServer;
  let visit: Visit;
  let pictures: readonly GuidePicture[];

  beforeAll(async () => {
    relay = await startFakeRelay();
    dns = await startDnsServer({ [WATCHED]: { TXT: ["v=spf1 +all"], MX: ["0 ."] } });
    world = await openDashboard({
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
      HERMOD_MAIL_FROM: "Hermod <hermod@example.com>",
    });
    visit = await world.signIn("/", SIZE);
    pictures = guidePictures(await fillGuide(world, visit.page, relay));
    if (out) await mkdir(out, { recursive: true });
  });
  afterAll(async () => {
    await world?.dispose();
    await relay?.close();
    await dns?.close();
  });

  it("show the pages as they are (`npm run pictures` takes them again)", async () => {
    const frames: string[] = [];
    for (const { name, at, shows, open } of pictures) {
      await visit.page.goto(`${world.url}/dashboard${at}`);
      await visit.page.getByText(shows).first().waitFor();
      await visit.page.locator("main .mantine-Loader-root").first().waitFor({ state: "detached" });
      await open?.(visit.page);
      frames.push(`${name}: ${[...new Set(await frameOf(visit.page))].join(" | ")}`);
      if (out) await visit.page.screenshot({ path: path.join(out, `${name}.png`) });
    }
    await expect(`${frames.join("\n")}\n`).toMatchFileSnapshot(`../../${FOLDER}/texts.txt`);
  });

  it("are in the guide, each once", () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith(".png"));
    const used = documentPages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/images\/guide\/([\w-]+\.png)/g)].map(([, file]) => file),
    );
    expect(files.toSorted()).toEqual(pictures.map(({ name }) => `${name}.png`).toSorted());
    expect(used.toSorted()).toEqual(files.toSorted());
  });
});
