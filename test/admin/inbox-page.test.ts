import { describe, expect, it } from "vitest";
import { inboxScript } from "../../src/admin/pages/inbox/main.ts";
import { inboxHtml } from "../../src/admin/pages/inbox-html.ts";
import { adminServer, createFakeSandbox } from "./fake-sandbox.ts";

const app = adminServer({
  sandbox: createFakeSandbox().client,
  example: { baseUrl: "https://mail.example.com", sender: "it's <me>@example.com" },
});

describe("the inbox page", () => {
  it("allows only its own code, and no framing", async () => {
    const page = await app.inject("/sandbox");
    const policy = String(page.headers["content-security-policy"]).split("; ");
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/i);
  });

  it("loads nothing from other origins", async () => {
    for (const url of ["/", "/admin.css", "/sandbox", "/sandbox/inbox.css", "/sandbox/inbox.js"]) {
      const { body, statusCode } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(body.replaceAll("https://mail.example.com", "")).not.toMatch(/https?:\/\/|@import|url\(/);
    }
  });

  it("serves its parts with their types", async () => {
    expect((await app.inject("/sandbox/inbox.js")).headers["content-type"]).toBe(
      "text/javascript; charset=utf-8",
    );
    expect((await app.inject("/sandbox/inbox.css")).headers["content-type"]).toBe("text/css; charset=utf-8");
    expect((await app.inject("/sandbox/")).headers.location).toBe("/sandbox");
  });

  it("shows how to send a message, escaped for html and for the shell", async () => {
    const { body } = await app.inject("/sandbox");
    expect(body).toContain("curl https://mail.example.com/v1/email/send");
    expect(body).not.toContain("<me>");
    expect(inboxHtml({ baseUrl: "x", sender: "it's" })).toContain("it\\u0027s");
  });

  it("has a script that is well-formed and never makes markup of text", () => {
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    expect(() => new AsyncFunction(inboxScript)).not.toThrow();
    expect(inboxScript).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|eval\(|new Function/,
    );
  });

  it("shows mail in a frame without scripts and without the origin of the page", () => {
    const sandboxes = [...inboxScript.matchAll(/sandbox: "([^"]*)"/g)].map(([, tokens]) => tokens);
    expect(sandboxes).toEqual(["allow-popups allow-popups-to-escape-sandbox"]);
  });
});
