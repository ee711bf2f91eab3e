import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { settings } from "../src/settings.ts";
import { tool } from "./harness/tools.ts";

const VALIDATE = "/opt/kubernetes-validate/bin/kubernetes-validate";
const CHART = "deploy/helm/hermod";
const helm = tool("helm");
const validator = tool("kubernetes-validate");
const ROLES = ["core", "edge", "smtp", "worker"];
/** The oldest and the newest version of Kubernetes that the chart is checked against. */
const VERSIONS = ["1.25.0", "1.34.0"];
const VERSION = "1.34.0";

const envSchema = z.array(
  z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() }),
);
const resourceSchema = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.unknown().optional(),
});
const podSchema = z.looseObject({
  replicas: z.number().optional(),
  template: z.looseObject({
    spec: z.looseObject({
      containers: z.tuple([z.looseObject({ image: z.string(), args: z.array(z.string()), env: envSchema })]),
    }),
  }),
});

const TEMPLATE = ["template", "mail", CHART, "--kube-version", VERSION];

function template(...args: string[]): string {
  return execFileSync("helm", [...TEMPLATE, ...args], { encoding: "utf8" });
}

function resources(...args: string[]) {
  return parseAllDocuments(template(...args))
    .map((document) => document.toJS())
    .filter((document) => document !== null)
    .map((document) => resourceSchema.parse(document));
}

/** Environment of the pods of each role. */
function environments(...args: string[]): Record<string, Record<string, string | undefined>> {
  return Object.fromEntries(
    resources(...args)
      .filter(({ kind }) => kind === "Deployment")
      .map(({ spec }) => {
        const [{ args: started, env }] = podSchema.parse(spec).template.spec.containers;
        return [started.at(-1) ?? "", Object.fromEntries(env.map(({ name, value }) => [name, value]))];
      }),
  );
}

const EVERYTHING = [
  ...[
    "--set",
    "ingress.enabled=true",
    "--set",
    "ingress.tlsSecret=certificate",
    "--set",
    "ingress.className=nginx",
  ],
  ...["--set", "services.smtp.bouncePort=25", "--set", "services.smtp.tlsSecret=relay"],
  ...ROLES.flatMap((role) => ["--set", `roles.${role}.autoscaling.enabled=true`]),
  ...["--set", "roles.worker.autoscaling.queueAgeSeconds=60"],
];

describe.skipIf(helm.missing)(`the Helm chart${helm.note}`, () => {
  it("passes the strict lint of Helm, with its defaults and with every option", () => {
    execFileSync("helm", ["lint", "--strict", CHART]);
    execFileSync("helm", ["lint", "--strict", CHART, ...EVERYTHING]);
  });

  it("creates a deployment for each role, which may be interrupted one by one", () => {
    const created = resources();
    const names = (kind: string) =>
      created.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
    expect(names("Deployment").toSorted()).toEqual(ROLES.map((role) => `mail-hermod-${role}`));
    expect(names("PodDisruptionBudget")).toHaveLength(ROLES.length);
    expect(names("NetworkPolicy")).toHaveLength(ROLES.length);
    expect([names("HorizontalPodAutoscaler"), names("Ingress")]).toEqual([[], []]);
  });

  it("gives each role only the secrets that it needs", () => {
    const secrets = Object.entries(environments()).map(([role, env]) => [
      role,
      Object.keys(env).filter((name) => env[name] === undefined),
    ]);
    expect(Object.fromEntries(secrets)).toEqual({
      core: [
        "MONGODB_URL",
        "HERMOD_SECRET_KEYS",
        "HERMOD_GRPC_TOKEN",
        "HERMOD_GRPC_FRONT_END_TOKEN",
        "HERMOD_GRPC_WORKER_TOKEN",
      ],
      worker: ["MONGODB_URL", "HERMOD_SECRET_KEYS", "HERMOD_GRPC_WORKER_TOKEN"],
      edge: ["HERMOD_GRPC_FRONT_END_TOKEN"],
      smtp: ["HERMOD_GRPC_FRONT_END_TOKEN"],
    });
  });

  it("sets only settings that Hermod knows", () => {
    const known = new Set(Object.keys(settings));
    const names = Object.values(environments(...EVERYTHING)).flatMap(Object.keys);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it("prefers settings of a role, and leaves out empty ones", () => {
    const { edge, worker } = environments(
      ...["--set", "settings.HERMOD_LOG_LEVEL=warn", "--set", "roles.worker.settings.HERMOD_LOG_LEVEL=info"],
    );
    expect([edge?.HERMOD_LOG_LEVEL, worker?.HERMOD_LOG_LEVEL]).toEqual(["warn", "info"]);
    expect(edge).not.toHaveProperty("HERMOD_BASE_URL");
  });

  it("upgrades one role after the other", () => {
    const images = resources("--set", "image.tag=1.0.0", "--set", "roles.core.tag=1.1.0").flatMap(
      ({ kind, spec }) =>
        kind === "Deployment" ? podSchema.parse(spec).template.spec.containers[0].image : [],
    );
    expect(images.toSorted()).toEqual(["hermod:1.0.0", "hermod:1.0.0", "hermod:1.0.0", "hermod:1.1.0"]);
  });

  it("takes the number of pods from autoscaling, if it is on", () => {
    const replicas = resources(...EVERYTHING)
      .filter(({ kind }) => kind === "Deployment")
      .map(({ spec }) => podSchema.parse(spec).replicas);
    expect(replicas).toEqual(ROLES.map(() => undefined));
  });

  it("creates what the commands of the guide install and upgrade", () => {
    const guide = readFileSync("docs/how-to/kubernetes.md", "utf8");
    const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join("\n");
    // A cluster and a registry are not here: Helm writes what it would create.
    const shell = [
      "docker() { :; }",
      "kubectl() { :; }",
      `helm() { shift; local given=(); for one in "$@"; do [[ $one == --reuse-values ]] || given+=("$one"); done; command helm template --kube-version ${VERSION} "\${given[@]}"; }`,
      commands,
    ].join("\n");
    const created = execFileSync("bash", ["--norc", "-e", "-o", "pipefail", "-c", shell], {
      encoding: "utf8",
    });
    expect(created).toContain('image: "registry.example.com/hermod:0.1.0"');
    expect(created).toContain('image: "hermod:0.2.0"');
    expect(created).toContain('value: "https://mail.example.com"');
  });

  it.each([
    { set: "roles.core.replica=3", error: "replica" },
    { set: "settings.PATH=/tmp", error: "PATH" },
    { set: "existingSecret=", error: "existingSecret" },
    { set: "services.smtp.type=Loadbalancer", error: "type" },
  ])("refuses $set", ({ set, error }) => {
    const { status, stderr } = spawnSync("helm", [...TEMPLATE, "--set", set], { encoding: "utf8" });
    expect(status).not.toBe(0);
    expect(stderr).toContain(error);
  });

  it.skipIf(validator.missing)(`is accepted by the schemas of Kubernetes${validator.note}`, () => {
    const input = template(...EVERYTHING);
    for (const version of VERSIONS) execFileSync(VALIDATE, ["--strict", "-k", version, "-"], { input });
  });
});

it("the chart's values are each described by its schema", () => {
  const values = parseAllDocuments(readFileSync(`${CHART}/values.yaml`, "utf8"))[0]?.toJS() as Record<
    string,
    unknown
  >;
  const schema = z
    .looseObject({ properties: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(`${CHART}/values.schema.json`, "utf8")));
  expect(Object.keys(schema.properties).filter((name) => name !== "global")).toEqual(Object.keys(values));
});
