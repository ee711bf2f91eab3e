import { describe, expect, it } from "vitest";
import { loadConfig } from "../config.ts";
import { createReach } from "./reach.ts";

const reachOf = (settings: Readonly<Record<string, string>> = {}) => createReach(loadConfig(settings));
const nothing = { http: undefined, smtp: undefined, smtps: undefined };

describe("the addresses of the installation for clients", () => {
  it("are unknown before the front ends listen, and if another process has them", () => {
    const reach = reachOf();
    expect([reach.baseUrl(), reach.smtp()]).toEqual([undefined, undefined]);
    reach.listening(nothing);
    expect([reach.baseUrl(), reach.smtp()]).toEqual([undefined, undefined]);
  });

  it("are the ports of this process without a setting", () => {
    const reach = reachOf();
    reach.listening({ http: 8080, smtp: 2587, smtps: 2465 });
    expect(reach.baseUrl()).toBe("http://127.0.0.1:8080");
    expect(reach.smtp()).toEqual({
      endpoints: [
        { host: "127.0.0.1", port: 2587, tls: "starttls" },
        { host: "127.0.0.1", port: 2465, tls: "implicit" },
      ],
      isSelfSigned: true,
    });
  });

  it("name no relay host for a relay on every address of an installation with a public address", () => {
    const settings = { HERMOD_BASE_URL: "https://mail.example.com/", HERMOD_SMTP_TLS_CERT: "a.pem" };
    const reach = reachOf({ ...settings, HERMOD_SMTP_TLS_KEY: "b.pem" });
    reach.listening({ ...nothing, smtp: 2587 });
    expect(reach.baseUrl()).toBe("https://mail.example.com");
    expect(reach.smtp()).toEqual({
      endpoints: [{ host: undefined, port: 2587, tls: "starttls" }],
      isSelfSigned: false,
    });
  });

  it("are those of the settings, regardless of this process", () => {
    const reach = reachOf({ HERMOD_SMTP_URLS: "smtp://mx.example.com,smtps://mx.example.com:4650" });
    const named = {
      endpoints: [
        { host: "mx.example.com", port: 587, tls: "starttls" },
        { host: "mx.example.com", port: 4650, tls: "implicit" },
      ],
      isSelfSigned: undefined,
    };
    expect(reach.smtp()).toEqual(named);
    reach.listening({ ...nothing, smtp: 2587 });
    expect(reach.smtp()).toEqual(named);
  });

  it("are refused for a setting that is not the address of a relay", () => {
    expect(() => reachOf({ HERMOD_SMTP_URLS: "mail.example.com:587" })).toThrow(
      /HERMOD_SMTP_URLS: must be smtp:/,
    );
  });
});
