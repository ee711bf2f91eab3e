import { describe, expect, it } from "vitest";
import { classifyHit, type HitFacts } from "./classify-hit.ts";

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const read: HitFacts = {
  kind: "opened",
  userAgent: SAFARI,
  prefetch: false,
  sinceDeliveredMs: 60_000,
  sinceOtherLinkMs: undefined,
};
const clicked: HitFacts = { ...read, kind: "clicked" };

describe("a hit", () => {
  it.each([
    SAFARI,
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.5.0",
    "Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 30) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; Ruby2) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
    "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)",
  ])("of a mail program or browser counts as a person: %s", (userAgent) => {
    expect(classifyHit({ ...read, userAgent })).toEqual({});
    expect(classifyHit({ ...clicked, userAgent })).toEqual({});
  });

  it.each([
    ["Mozilla/5.0", "apple_mail_privacy"],
    [" ", "no_user_agent"],
    ["", "no_user_agent"],
    ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "scanner"],
    ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0.0.0 Safari/537.36", "scanner"],
    ["Barracuda Sentinel (EE)", "scanner"],
    ["python-requests/2.32.3", "scanner"],
    ["curl/8.5.0", "scanner"],
    ["GuzzleHttp/7", "scanner"],
    ["GuzzleHttp/6.5.5 curl/7.64.0 PHP/7.3.33", "scanner"],
    ["okhttp/4.12.0", "scanner"],
    ["Ruby", "scanner"],
    ["Ruby/3.3.0", "scanner"],
    ["rest-client/2.1.0 (linux x86_64) ruby/3.3.0p0", "scanner"],
    ["PostmanRuntime/7.42.0", "scanner"],
    ["Mozilla/5.0 zgrab/0.x", "scanner"],
    ["Iframely/1.3.1 (+https://iframely.com/docs/about)", "scanner"],
    ["Mozilla/5.0 (compatible; Zscaler Sandbox)", "scanner"],
    ["Trend Micro WTP", "scanner"],
    ["TrendMicro WRS/1.0", "scanner"],
    ["Slackbot-LinkExpanding 1.0", "scanner"],
  ])("of %s counts as a program", (userAgent, machineReason) => {
    expect(classifyHit({ ...clicked, userAgent })).toEqual({ machineReason });
  });

  it("by the proxy of a mail provider counts as a person, and names the proxy", () => {
    const gmail = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
    expect(classifyHit({ ...read, userAgent: gmail })).toEqual({ proxy: "gmail" });
    const yahoo = "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html";
    expect(classifyHit({ ...read, userAgent: yahoo })).toEqual({ proxy: "yahoo" });
  });

  it("of a prefetch, before delivery or right after it counts as a program", () => {
    expect(classifyHit({ ...read, prefetch: true }).machineReason).toBe("prefetch");
    expect(classifyHit({ ...read, sinceDeliveredMs: undefined }).machineReason).toBe("before_delivery");
    expect(classifyHit({ ...read, sinceDeliveredMs: 999 }).machineReason).toBe("too_early");
    expect(classifyHit({ ...read, sinceDeliveredMs: 1_000 })).toEqual({});
    expect(classifyHit({ ...read, sinceDeliveredMs: Number.POSITIVE_INFINITY })).toEqual({});
  });

  it("on another link within a second counts as a program, only for clicks", () => {
    expect(classifyHit({ ...clicked, sinceOtherLinkMs: 999 }).machineReason).toBe("many_links");
    expect(classifyHit({ ...clicked, sinceOtherLinkMs: 1_000 })).toEqual({});
    expect(classifyHit({ ...read, sinceOtherLinkMs: 1 })).toEqual({});
  });
});
