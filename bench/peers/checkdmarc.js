import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { endProcess } from "../lib/children.js";

/** Where scripts/install-test-tools.sh puts it. */
const PYTHON = "/opt/checkdmarc/bin/python";

/**
 * The checks that Hermod also runs, in the calls of `check_domains`, without SOA and name servers. It also omits
 * DNSSEC and DANE, which Hermod asks a validating server for, and there is none: checkdmarc would ask the system's own servers.
 * A pass begins with each line that is read.
 */
const PROGRAM = `
import json, sys, time
from concurrent.futures import ThreadPoolExecutor
import checkdmarc.smtp
import dns.resolver
from dns.nameserver import Do53Nameserver
from checkdmarc.bimi import check_bimi
from checkdmarc.dmarc import check_dmarc
from checkdmarc.mta_sts import check_mta_sts
from checkdmarc.smtp import check_mx
from checkdmarc.smtp_tls_reporting import check_smtp_tls_reporting
from checkdmarc.spf import check_spf

checkdmarc.smtp.check_dnssec = lambda *_, **__: False
checkdmarc.smtp.get_tlsa_records = lambda *_, **__: []
# Nothing leaves this machine: what is not told whom to ask has nobody.
dns.resolver.Resolver.read_resolv_conf = lambda *_: None

task = json.loads(sys.stdin.readline())
resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers = [Do53Nameserver(task["host"], task["port"])]

def look(domain):
    asked = {"resolver": resolver, "timeout": 10.0, "retries": 0}
    check_mta_sts(domain, **asked)
    mx = check_mx(domain, check_mx_tls=False, **asked)
    spf = check_spf(domain, **asked)
    dmarc = check_dmarc(domain, **asked)
    tls = check_smtp_tls_reporting(domain, **asked)
    check_bimi(domain, parsed_dmarc_record=dmarc, **asked)
    if not (len(mx["hosts"]) == 2 and spf["valid"] and dmarc["valid"] and tls["valid"]):
        raise Exception(f"{domain}: {mx} {spf} {dmarc} {tls}")

with ThreadPoolExecutor(task["atOnce"]) as pool:
    look(task["first"])
    print(json.dumps({}), flush=True)
    for line in sys.stdin:
        cpu, started = time.process_time(), time.perf_counter()
        list(pool.map(look, task["domains"]))
        seconds = time.perf_counter() - started
        print(json.dumps({"seconds": seconds, "cpuSeconds": time.process_time() - cpu}), flush=True)
`;

/** @returns {string} the version @throws Error when there is none */
export function requireCheckdmarc() {
  const { status, stdout } = spawnSync(PYTHON, ["-c", "import checkdmarc; print(checkdmarc.__version__)"]);
  if (status !== 0) throw new Error(`there is no checkdmarc at ${PYTHON}.`);
  return String(stdout).trim();
}

/**
 * A process of its own, which has nothing in its memory but one domain that is not among these.
 * @param {{
 *   server: string,
 *   first: string,
 *   domains: readonly import("../lib/intel-zones.js").BenchDomain[],
 *   atOnce: number,
 *   cleanUp: import("../lib/clean-up.js").CleanUp,
 * }} options
 * @returns {Promise<import("../lib/look-at-domains.js").Looking>}
 */
export async function startCheckdmarc({ server, first, domains, atOnce, cleanUp }) {
  const python = spawn(PYTHON, ["-c", PROGRAM], { stdio: ["pipe", "pipe", "inherit"] });
  const end = cleanUp.defer(() => endProcess(python, "SIGTERM"));
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const ask = async (/** @type {object} */ message) => {
    python.stdin.write(`${JSON.stringify(message)}\n`);
    const { done, value } = await answers.next();
    if (done) throw new Error("checkdmarc ended unexpectedly.");
    return JSON.parse(value);
  };
  const [host = "", port] = server.split(":");
  await ask({ host, port: Number(port), first, atOnce, domains: domains.map(({ name }) => name) });
  return { pass: () => ask({}), end };
}
