import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Language,
  languages,
  type Sending,
  snippets,
} from "../../src/dashboard/pages/start/snippets.ts";
import { holdAnswers } from "../harness/browser.ts";
import { type DashboardWorld, openDashboard } from "../harness/dashboard-world.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { tool } from "../harness/tools.ts";

const run = promisify(execFile);
const browser = tool("chromium");

describe.skipIf(browser.missing)(`the first steps of an account${browser.note}`, () => {
  let world: DashboardWorld;
  beforeAll(async () => {
    world = await openDashboard();
  });
  afterAll(() => world?.dispose());

  it("sends a first message from the page, shows it as captured, and completes the step", async () => {
    const { page, violations, leave } = await world.signIn();
    // The account has sent nothing: sign-in leads here, not to an overview of zeros.
    await page.waitForURL("**/dashboard/start");
    await page.getByText("0 of 7").waitFor();
    // The form waits for its sender.
    await expect.poll(() => page.getByRole("button", { name: "Send", exact: true }).isEnabled()).toBe(true);
    expect(await violations()).toEqual([]);
    await page.getByLabel("Subject").fill("First words");
    await page.getByRole("textbox", { name: "Text" }).fill("Written on the page.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Captured in the sandbox. It was not sent to the recipient.").waitFor();
    await page.locator("figure").getByText("Written on the page.").waitFor();
    await page.getByText("1 of 7").waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole("link", { name: "Open the sandbox" }).click();
    await page.getByRole("heading", { name: "First words" }).waitFor();
    await leave();
  });

  it("sends one message for a double click, a held key, and two presses before the page is rendered", async () => {
    const { page, leave } = await world.signIn("/start");
    const button = page.getByRole("button", { name: "Send", exact: true });
    await page.getByLabel("Subject").fill("Double click");
    await button.dblclick();
    await page.getByText("Captured in the sandbox.").waitFor();
    await page.getByLabel("Subject").fill("Held key");
    for (let presses = 0; presses < 20; presses++) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await button.and(page.locator(":enabled")).waitFor();
    await page.getByLabel("Subject").fill("Two presses");
    await button.evaluate((pressed) => {
      const { click } = pressed as unknown as { click(): void };
      click.call(pressed);
      click.call(pressed);
    });
    await button.and(page.locator(":enabled")).waitFor();
    await page.goto(`${world.url}/dashboard/messages`);
    await page.getByText("Two presses").first().waitFor();
    const counts = ["Double click", "Held key", "Two presses"].map((subject) =>
      page.getByText(subject).count(),
    );
    expect(await Promise.all(counts)).toEqual([1, 1, 1]);
    await leave();
  });

  it("fills in the sender before the user can enter another one", async () => {
    const { page, leave } = await world.signIn("/keys");
    const held = await holdAnswers(page, /\/api\/(?:senders|domains)\?/);
    await page.goto(`${world.url}/dashboard/start`);
    await held.asked;
    const from = page.getByRole("combobox", { name: "From" });
    expect(await from.isEditable()).toBe(false);
    held.release();
    await from.fill("other@example.com");
    expect(await from.inputValue()).toBe("other@example.com");
    await leave();
  });

  it("shows an error at the field if the account may not send from an address, and sends nothing", async () => {
    const { page, violations, tolerate, leave } = await world.signIn("/start");
    tolerate(/status of 4/);
    await page.getByRole("combobox", { name: "From" }).fill("stranger@example.net");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await violations()).toEqual([]);
    expect(await page.getByRole("combobox", { name: "From" }).inputValue()).toBe("stranger@example.net");
    expect(await page.getByText("Captured in the sandbox.").count()).toBe(0);
    await leave();
  });
});

/** Command to run a program: the name of its file, its command, and the tool that it needs. */
const runners: Readonly<
  Record<
    Language,
    {
      readonly file: string;
      readonly command: readonly [string, ...string[]];
      readonly needs?: { readonly missing: boolean; readonly note: string };
    }
  >
> = {
  curl: { file: "send.sh", command: ["sh"], needs: tool("curl") },
  node: { file: "send.mjs", command: [process.execPath] },
  python: { file: "send.py", command: ["python3"], needs: tool("python") },
  go: { file: "send.go", command: ["go", "run"], needs: tool("go") },
  php: { file: "send.php", command: ["php"], needs: tool("php") },
};

describe("an example program of the page", () => {
  let hermod: Hermod;
  let directory: string;
  beforeAll(async () => {
    hermod = await startHermod();
    directory = await mkdtemp(path.join(tmpdir(), "hermod-snippets-"));
  });
  afterAll(async () => {
    await hermod?.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  for (const language of languages) {
    const { file, command, needs } = runners[language];
    it.skipIf(needs?.missing)(`sends a message unchanged: ${language}${needs?.note ?? ""}`, async () => {
      const [program, ...rest] = command;
      const send = async (given: Partial<Sending>) => {
        const sending = {
          baseUrl: hermod.firstRun.base_url,
          from: hermod.firstRun.sender,
          to: "ada@example.org",
          ...given,
        };
        const target = path.join(directory, file);
        await writeFile(target, snippets[language](sending));
        const env = { ...process.env, HERMOD_API_KEY: hermod.firstRun.api_key };
        return (await run(program, [...rest, target], { env })).stdout;
      };
      expect(await send({})).toMatch(/message_id["']?: ?["']msg_/);
      // Quotes, backslashes and variables stay unchanged in every language.
      const odd = `"O'Hara \\\\ $HOME #{x}" <o'hara@example.org>`;
      expect(await send({ to: odd })).toContain("o'hara@example.org");
    });
  }
});
