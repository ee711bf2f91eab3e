import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Third-party programs for some tests. A machine with only Node has none of them: those tests skip themselves and
 * report the missing program. With HERMOD_TEST_TOOLS=all, as in CI, they always run, and fail without it; with
 * HERMOD_TEST_TOOLS=none they are always skipped.
 */
const tools = {
  alertmanager: { needs: "Prometheus Alertmanager", installed: () => inPath("alertmanager") },
  checkdmarc: {
    needs: "Python's checkdmarc in /opt/checkdmarc",
    installed: () => executable("/opt/checkdmarc/bin/python"),
  },
  chromium: { needs: "Chromium", installed: () => executable("/usr/bin/chromium") },
  curl: { needs: "curl", installed: () => inPath("curl") },
  go: { needs: "Go 1.25 or newer", installed: () => inPath("go") && hasNewGo() },
  guzzle: {
    needs: "PHP with curl, and Debian's php-guzzlehttp-guzzle",
    installed: () =>
      existsSync("/usr/share/php/GuzzleHttp/autoload.php") &&
      spawnSync("php", ["-r", 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0,
  },
  helm: { needs: "Helm 3", installed: () => inPath("helm") },
  "hey-api": {
    needs: "@hey-api/openapi-ts in /opt/hey-api",
    installed: () => executable("/opt/hey-api/node_modules/.bin/openapi-ts"),
  },
  java: { needs: "Java 11 or newer and Maven", installed: () => inPath("java") && inPath("mvn") },
  javac: { needs: "Java 17 or newer with its compiler", installed: () => inPath("javac") },
  jq: { needs: "jq", installed: () => inPath("jq") },
  "kubernetes-validate": {
    needs: "Python's kubernetes-validate in /opt/kubernetes-validate",
    installed: () => executable("/opt/kubernetes-validate/bin/kubernetes-validate"),
  },
  mono: { needs: "Mono and its compiler mcs", installed: () => inPath("mono") && inPath("mcs") },
  mount: {
    needs: "mount, and the right to",
    installed: () => process.getuid?.() === 0 && canMount(),
  },
  msmtp: { needs: "msmtp", installed: () => inPath("msmtp") },
  "oapi-codegen": { needs: "oapi-codegen", installed: () => inPath("oapi-codegen") },
  "openapi-python-client": {
    needs: "Python's openapi-python-client in /opt/openapi-python-client",
    installed: () => executable("/opt/openapi-python-client/bin/openapi-python-client"),
  },
  parsedmarc: {
    needs: "Python's parsedmarc in /opt/parsedmarc",
    installed: () => executable("/opt/parsedmarc/bin/python"),
  },
  pdftotext: { needs: "pdftotext of poppler-utils", installed: () => inPath("pdftotext") },
  php: {
    needs: "PHP with mbstring",
    installed: () => spawnSync("php", ["-r", 'exit(extension_loaded("mbstring") ? 0 : 1);']).status === 0,
  },
  "php-cli": { needs: "PHP", installed: () => inPath("php") },
  postfix: {
    needs: "Postfix, and root, as it runs under several users",
    installed: () => executable("/usr/sbin/postfix") && process.getuid?.() === 0,
  },
  promtool: { needs: "promtool of Prometheus", installed: () => inPath("promtool") },
  python: { needs: "Python 3", installed: () => inPath("python3") },
  ruby: { needs: "Ruby 3 or newer", installed: () => inPath("ruby") },
  rust: {
    needs: "Rust 1.85 or newer, and OpenSSL's headers",
    installed: () => inPath("cargo") && hasNewRust() && spawnSync("pkg-config", ["openssl"]).status === 0,
  },
  schemathesis: { needs: "Schemathesis", installed: () => inPath("schemathesis") },
  script: { needs: "script of util-linux", installed: () => inPath("script") },
  "smtp-sink": { needs: "smtp-sink of Postfix", installed: () => executable("/usr/sbin/smtp-sink") },
  typhoeus: {
    needs: "Ruby and its typhoeus",
    installed: () => spawnSync("ruby", ["-e", 'require "typhoeus"']).status === 0,
  },
  standardwebhooks: {
    needs: "Python's standardwebhooks in /opt/standardwebhooks",
    installed: () => executable("/opt/standardwebhooks/bin/python"),
  },
  swaks: {
    needs: "swaks with TLS",
    installed: () =>
      inPath("swaks") &&
      spawnSync("swaks", ["--support"], { encoding: "utf8" }).stdout.includes("TLS supported"),
  },
  systemd: { needs: "systemd-analyze", installed: () => inPath("systemd-analyze") },
  unbound: {
    needs: "Unbound, and ldns-signzone of ldnsutils",
    installed: () => executable("/usr/sbin/unbound") && inPath("ldns-signzone"),
  },
} as const;

export type ToolName = keyof typeof tools;

export interface Tool {
  /** For `skipIf`. */
  readonly missing: boolean;
  /** For the end of a test name: the missing program, or empty. */
  readonly note: string;
}

export function tool(name: ToolName): Tool {
  const { needs, installed } = tools[name];
  const { HERMOD_TEST_TOOLS: wanted } = process.env;
  const missing = wanted === "none" || (wanted !== "all" && !installed());
  return { missing, note: missing ? ` (needs ${needs})` : "" };
}

function hasNewGo(): boolean {
  const { stdout } = spawnSync("go", ["env", "GOVERSION"], { encoding: "utf8" });
  const [, minor = "0"] = /^go1\.(\d+)/.exec(stdout) ?? [];
  return Number(minor) >= 25;
}

function hasNewRust(): boolean {
  const { stdout } = spawnSync("cargo", ["--version"], { encoding: "utf8" });
  const [, minor = "0"] = /^cargo 1\.(\d+)/.exec(stdout) ?? [];
  return Number(minor) >= 85;
}

/** The root user of a container may lack permission. */
function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), "hermod-mount-"));
  try {
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "hermod-test", folder]).status === 0;
    if (mounted) spawnSync("umount", [folder]);
    return mounted;
  } finally {
    rmdirSync(folder);
  }
}

function inPath(program: string): boolean {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders.some((folder) => executable(path.join(folder, program)));
}

function executable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
