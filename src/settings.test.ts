import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ConfigError, readSettings, settings } from "./settings.ts";

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.faults : [String(error)];
  }
}

it("needs no setting at all", () => {
  expect(readSettings({})).toMatchObject({
    HERMOD_HTTP_PORT: 8080,
    HERMOD_DATA_DIR: "./data",
    HERMOD_ADMIN_HOST: "127.0.0.1",
  });
});

it("takes an empty variable for an unset one", () => {
  expect(readSettings({ HERMOD_HTTP_PORT: "", MONGODB_URL: "" })).toMatchObject({ HERMOD_HTTP_PORT: 8080 });
});

it("names the nearest setting for one that is unknown, and says whose the prefix is", () => {
  const [fault] = faultsOf({ HERMOD_HTPP_PORT: "80" });
  expect(fault).toContain("the nearest name is HERMOD_HTTP_PORT");
  const [far] = faultsOf({ HERMOD_API_KEY: "hm_live_x" });
  expect(far).toContain("unknown setting; .env.example lists all settings");
  expect(far).toContain("Choose another name for your own variable");
  expect(far).not.toContain("HERMOD_DATA_DIR");
});

it("no document and no example names a variable with HERMOD_ that is no setting", () => {
  const files = ["README.md", "docker-compose.yml", "src/admin/pages/inbox-html.ts"];
  const pages = readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  const names = [...files, ...pages].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\bHERMOD_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name),
  );
  const unknown = names.filter((name) => !(name in settings) && !name.startsWith("HERMOD_TEST_"));
  expect([...new Set(unknown)].filter((name) => !notSettings.includes(name))).toEqual([]);
});

/** A decision names a setting that was not made. */
const notSettings = ["HERMOD_DNS_SECOND_SERVERS"];

it("names every setting that is wrong or unknown, all at once", () => {
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

it("never repeats a secret in a fault", () => {
  expect(faultsOf({ MONGODB_URL: "mongodb://u:S3@h", HERMOD_HTTP_PORT: "x" }).join()).not.toContain("S3");
  expect(faultsOf({ HERMOD_SECRET_KEYS: "hunter2" }).join()).toMatch(/^HERMOD_SECRET_KEYS: (?!.*hunter2)/);
});

it("keeps bodies for longer than delivery is tried, and names both settings where they do not fit", () => {
  const [line = "", ...others] = faultsOf({ HERMOD_CONTENT_RETENTION_DAYS: "2" });
  expect(line).toMatch(/^HERMOD_CONTENT_RETENTION_DAYS: .*HERMOD_MAX_AGE_HOURS.* 2 days, and 48 hours/);
  expect(others).toEqual([]);
  expect(faultsOf({ HERMOD_CONTENT_RETENTION_DAYS: "2", HERMOD_MAX_AGE_HOURS: "47" })).toEqual([]);
});

it("wants of a provider to sign in by that it is reached safely, and all that goes with it", () => {
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
