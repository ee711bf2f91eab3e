import { expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { relyingPartyOf } from "../../src/roles/addresses.ts";

it.each([
  [
    { HERMOD_BASE_URL: "https://mail.example.com/" },
    { origin: "https://mail.example.com", id: "mail.example.com" },
  ],
  [
    { HERMOD_BASE_URL: "https://mail.example.com:8443" },
    { origin: "https://mail.example.com:8443", id: "mail.example.com" },
  ],
  [{}, { origin: "http://localhost:8080", id: "localhost" }],
  [{ HERMOD_HTTP_PORT: "0" }, undefined],
  [{ HERMOD_BASE_URL: "http://mail.example.com" }, undefined],
  [{ HERMOD_BASE_URL: "https://192.0.2.1" }, undefined],
  [{ HERMOD_BASE_URL: "https://[2001:db8::1]" }, undefined],
  [{ HERMOD_BASE_URL: "http://127.0.0.1:8080" }, undefined],
  [{ HERMOD_BASE_URL: "no address" }, undefined],
])("uses for passkeys with %j the relying party %j", (env, expected) => {
  expect(relyingPartyOf(loadConfig(env))).toEqual(expected);
});
