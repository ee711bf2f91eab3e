import { describe, expect, it } from "vitest";
import type { Webhook } from "../../api/webhooks.ts";
import { newSettings, settingsBody, settingsOf } from "./setting-values.ts";

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
});
