import { createResolver } from "../../dist/src/dns/resolver.js";
import { createValidator } from "../../dist/src/dns/validator.js";
import { createRunChecks } from "../../dist/src/intel/run-checks.js";
import { systemClock as clock } from "../../dist/src/shared/clock.js";
import { inParallel } from "../../dist/src/shared/in-parallel.js";

/** Checks that must pass. Otherwise other zones were checked. */
const EXPECTED = [
  ...["auth.spf.exists", "auth.spf.lookups", "auth.dkim.key", "auth.dmarc.valid", "infra.mx.resolves"],
  ...["reputation.fcrdns", "transport.starttls", "transport.tlsrpt"],
];

/**
 * @typedef {object} Pass a check run of each domain
 * @property {number} seconds
 * @property {number} cpuSeconds of the checking process
 *
 * @typedef {object} Looking caches its answers: the first pass is cold, and the next one warm
 * @property {() => Promise<Pass>} pass
 * @property {() => Promise<void>} end
 */

/**
 * The check run of the role `core`, without registries, MTA-STS policies and BIMI logos, which no domain has, and without mail hosts.
 * @param {string} server
 * @param {import("../../dist/src/intel/mail-host-probe/found-probes.js").FindProbes} findProbes
 */
export function createLook(server, findProbes) {
  const servers = [server];
  const freshResolver = () => createResolver({ servers, clock });
  return createRunChecks({
    resolver: freshResolver(),
    zoneResolver: freshResolver,
    findProbes,
    clock,
    validator: createValidator({ servers, clock }),
    fetchPolicy: async () => {
      throw new Error("No domain of the bench has a policy.");
    },
    fetchMark: async () => {
      throw new Error("No domain of the bench has a mark.");
    },
    lookUpRdap: undefined,
    ehloNameOf: () => undefined,
  });
}

/**
 * Hermod's check run in this process.
 * @param {{
 *   server: string,
 *   domains: readonly import("./intel-zones.js").BenchDomain[],
 *   probes: ReadonlyMap<string, any>,
 *   atOnce: number,
 * }} options
 * @returns {Looking}
 */
export function startLooking({ server, domains, probes, atOnce }) {
  const look = createLook(server, async () => ({ probes, vantage: "open", reachesIpv6: false }));
  const pass = () =>
    timed(() =>
      inParallel(domains, atOnce, async (domain) => expectWell(domain.name, await look(domain, "due"))),
    );
  return { pass, end: async () => undefined };
}

/**
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Pass>}
 */
export async function timed(work) {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

/**
 * @param {string} name
 * @param {readonly import("../../dist/src/intel/check-result.js").CheckResult[]} results
 */
function expectWell(name, results) {
  for (const id of EXPECTED) {
    const result = results.find((one) => one.id === id);
    if (result?.status !== "pass") throw new Error(`${name}, ${id}: ${result?.status}: ${result?.observed}`);
  }
}
