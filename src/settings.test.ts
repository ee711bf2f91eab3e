import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { documentPages } from "../test/harness/documents.ts";
import { ConfigError, readSettings, settings } from "./settings.ts";

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
}

it("accepts an empty environment", () => {
  expect(readSettings({})).toMatchObject({
    HERMOD_HTTP_PORT: 8080,
    HERMOD_DATA_DIR: "./data",
    HERMOD_ADMIN_HOST: "127.0.0.1",
  });
});

it("treats an empty variable as unset", () => {
  expect(readSettings({ HERMOD_HTTP_PORT: "", MONGODB_URL: "" })).toMatchObject({ HERMOD_HTTP_PORT: 8080 });
});

it("names the nearest setting for an unknown one, and explains that the prefix is reserved", () => {
  const [fault] = faultsOf({ HERMOD_HTPP_PORT: "80" });
  expect(fault).toContain("the nearest name is HERMOD_HTTP_PORT");
  const [far] = faultsOf({ HERMOD_CUSTOMER_NUMBER: "7" });
  expect(far).toContain("no similar one; .env.example lists all settings");
  expect(far).toContain("use another name for a variable of your own");
  expect(far).not.toContain("HERMOD_DATA_DIR");
});

it("documents and examples contain no unknown HERMOD_ setting", () => {
  const files = ["docker-compose.yml", "src/admin/pages/inbox-html.ts"];
  const names = [...files, ...documentPages].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bHERMOD_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name),
  );
  const unknown = names.filter((name) => !(name in settings) && !name.startsWith("HERMOD_TEST_"));
  expect([...new Set(unknown)].filter((name) => !notSettings.includes(name))).toEqual([]);
});

/** Variables of client programs in the examples. */
const notSettings = ["HERMOD_API_KEY", "HERMOD_URL", "HERMOD_SMTP_USER", "HERMOD_SMTP_PASSWORD"];

it("ignores the variables of client programs that the examples name", () => {
  const env = Object.fromEntries(notSettings.map((name) => [name, "x"]));
  expect(readSettings(env).HERMOD_HTTP_PORT).toBe(8080);
});

it("names all invalid and unknown settings at once", () => {
  const faults = faultsOf({
    HERMOD_HTTP_PORT: "99999",
    HERMOD_LOG_LEVEL: "loud",
    HERMOD_HTPP_PORT: "1",
    HERMOD_GRPC_TLS_CERT: "x",
    HERMOD_HTTP_TLS_KEY: "x",
    HERMOD_GRPC_ADDRESS: "core:50051,core",
  });
  expect(faults.map((line) => line.split(":")[0]).toSorted()).toEqual([
    "HERMOD_GRPC_ADDRESS",
    "HERMOD_GRPC_TLS_KEY",
    "HERMOD_HTPP_PORT",
    "HERMOD_HTTP_PORT",
    "HERMOD_HTTP_TLS_CERT",
    "HERMOD_LOG_LEVEL",
  ]);
});

it("never repeats a secret in an error", () => {
  expect(faultsOf({ MONGODB_URL: "mongodb://u:S3@h", HERMOD_HTTP_PORT: "x" }).join()).not.toContain("S3");
  expect(faultsOf({ HERMOD_SECRET_KEYS: "hunter2" }).join()).toMatch(/^HERMOD_SECRET_KEYS: (?!.*hunter2)/);
});

it("requires that bodies are stored longer than delivery is attempted, and names both settings otherwise", () => {
  const [line = "", ...others] = faultsOf({ HERMOD_CONTENT_RETENTION_DAYS: "2" });
  expect(line).toMatch(/^HERMOD_CONTENT_RETENTION_DAYS: .*HERMOD_MAX_AGE_HOURS.* 2 days, and 48 hours/);
  expect(others).toEqual([]);
  expect(faultsOf({ HERMOD_CONTENT_RETENTION_DAYS: "2", HERMOD_MAX_AGE_HOURS: "47" })).toEqual([]);
});

it("requires a secure address of the OpenID Connect provider, and the settings that depend on it", () => {
  const whole = {
    HERMOD_OIDC_ISSUER: "https://login.example.com",
    HERMOD_OIDC_CLIENT_ID: "hermod",
    HERMOD_BASE_URL: "https://mail.example.com",
    HERMOD_OIDC_ROLES: "staff=viewer",
  };
  expect(faultsOf({ ...whole, HERMOD_OIDC_ROLES: "a=b=admin,*=viewer" })).toEqual([]);
  expect(faultsOf({ ...whole, HERMOD_OIDC_ISSUER: "http://127.0.0.1:8000" })).toEqual([]);
  expect(faultsOf({ ...whole, HERMOD_BASE_URL: "" }).join()).toMatch(/^HERMOD_BASE_URL: /);
  expect(faultsOf({ ...whole, HERMOD_OIDC_CLIENT_ID: "" }).join()).toMatch(/^HERMOD_OIDC_CLIENT_ID: /);
  for (const issuer of ["http://login.example.com", "login.example.com", "file:///etc/passwd"])
    expect(faultsOf({ ...whole, HERMOD_OIDC_ISSUER: issuer }).join()).toMatch(/^HERMOD_OIDC_ISSUER: /);
  for (const roles of ["staff", "staff=god", "=viewer"])
    expect(faultsOf({ ...whole, HERMOD_OIDC_ROLES: roles }).join()).toMatch(/^HERMOD_OIDC_ROLES: /);
});
