import path from "node:path";
import { chromium } from "playwright-core";
import { build, type Rollup } from "vite";
import { describe, expect, it } from "vitest";
import { tool } from "../harness/tools.ts";

const browser = tool("chromium");

describe.skipIf(browser.missing)(`a list without an entry on its first page${browser.note}`, () => {
  it("asks for the next page again after a refresh gave up this request", async () => {
    const built = (await build({
      configFile: false,
      logLevel: "error",
      build: {
        write: false,
        lib: { entry: path.resolve("test/fixtures/refreshed-search.js"), formats: ["iife"], name: "list" },
      },
      define: { "process.env.NODE_ENV": '"production"' },
    })) as Rollup.RollupOutput[];
    const [script] = built[0]?.output ?? [];
    const opened = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    try {
      const page = await opened.newPage();
      const errors: Error[] = [];
      page.on("pageerror", (error) => errors.push(error));
      // The texts of the pages need an origin with storage.
      await page.route("http://list.example/", (route) =>
        route.fulfill({ contentType: "text/html", body: "<!doctype html><body></body>" }),
      );
      await page.goto("http://list.example/");
      await page.addScriptTag({ content: script?.code ?? "" });
      await page.getByText("the match").waitFor({ timeout: 20_000 });
      expect(errors).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});
