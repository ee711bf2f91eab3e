import { describe, expect, it } from "vitest";
import type { Webhook } from "../../api/webhooks.ts";
import { needsHeadersAgain, newSettings, settingsBody, settingsOf } from "./setting-values.ts";

const stored: Webhook = {
  id: "wep_1",
  account_id: "acc_1",
  url: "https://shop.example.com/hooks",
  description: "Orders",
  types: ["message.bounced"],
  tags: [],
  policies: ["default"],
  ordered: true,
  rate_per_second: 10,
  headers: [{ name: "Authorization" }],
  version: "2026-11-01",
  secrets: [{ algorithm: "hmac-sha256", created_at: "2026-11-22T09:30:00.000Z" }],
  created_at: "2026-11-22T09:30:00.000Z",
  updated_at: "2026-11-22T09:30:00.000Z",
  revision: 3,
};

describe("the settings of an endpoint", () => {
  it("stay the same if the form is not changed, and the values of headers stay on the server", () => {
    expect(settingsBody(settingsOf(stored))).toEqual({
      url: "https://shop.example.com/hooks",
      description: "Orders",
      types: ["message.bounced"],
      tags: [],
      policies: ["default"],
      ordered: true,
      rate_per_second: 10,
      headers: [{ name: "Authorization" }],
    });
  });

  it("have no types if all are chosen, and no rate without a limit", () => {
    const body = settingsBody({ ...newSettings, url: " https://a.example/ ", types: ["message.bounced"] });
    expect(body.url).toBe("https://a.example/");
    expect(body.types).toEqual([]);
    expect(body).not.toHaveProperty("rate_per_second");
  });

  it("send new values of headers, and leave out empty rows", () => {
    const headers = [
      { key: "1", name: "X-Key", value: "secret", isStored: false },
      { key: "2", name: "", value: "", isStored: false },
    ];
    expect(settingsBody({ ...newSettings, headers }).headers).toEqual([{ name: "X-Key", value: "secret" }]);
  });

  it("need the values of headers again for another URL", () => {
    const values = settingsOf(stored);
    expect(needsHeadersAgain(values, stored.url)).toBe(false);
    const moved = { ...values, url: "https://other.example.com/hooks" };
    expect(needsHeadersAgain(moved, stored.url)).toBe(true);
    const headers = values.headers.map((header) => ({ ...header, value: "new" }));
    expect(needsHeadersAgain({ ...moved, headers }, stored.url)).toBe(false);
    expect(needsHeadersAgain(moved, undefined)).toBe(false);
  });
});
