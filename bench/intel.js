import { writeFileSync } from "node:fs";
import { askBlacklist, blacklistZones } from "./lib/ask-blacklist.js";
import { checkWatches } from "./lib/check-watches.js";
import { startChild } from "./lib/children.js";
import { inTurn } from "./lib/in-turn.js";
import { benchDomains, benchProbes, benchZones } from "./lib/intel-zones.js";
import { startLooking } from "./lib/look-at-domains.js";
import { loadAverage, machine } from "./lib/machine.js";
import { openDatabase } from "./lib/open-database.js";
import { commandLine, readCount, readCounts, readText } from "./lib/options.js";
import { printIntel } from "./lib/print-intel.js";
import { makeRunDirectory } from "./lib/run-directory.js";
import { requireCheckdmarc, startCheckdmarc } from "./peers/checkdmarc.js";

/**
 * @typedef {object} Rate check runs of domains, or of addresses
 * @property {string} subject
 * @property {number} atOnce
 * @property {"cold" | "warm"} memory cold: nothing is cached
 * @property {number} round
 * @property {number} perSecond
 * @property {number} cpuPerThousand CPU seconds of the checking process for 1,000 check runs
 * @property {number} queriesPerLook
 *
 * @typedef {object} ReportCost
 * @property {number} domains
 * @property {number} round
 * @property {number} buildSeconds with the start of the thread
 * @property {number} htmlSeconds
 * @property {number} pdfSeconds
 * @property {number} pdfAgainSeconds
 * @property {number} htmlBytes
 * @property {number} pdfBytes
 * @property {number | undefined} idleBytes resident, before
 * @property {number | undefined} peakBytes resident, at the most
 *
 * @typedef {object} Server the DNS, in a process of its own
 * @property {string} address
 * @property {() => Promise<number>} queries so far
 */

const DOMAINS = 200;
/** More than without: what is stored for one domain must not be all that there is. */
const STORED_DOMAINS = 500;
/** One, and the concurrency of the monitor. */
const AT_ONCE = [1, 16];
/** Number of domains in the first round, which is a warm-up for the just-in-time compiler and does not count. */
const WARM_UP_DOMAINS = 50;
const ADDRESSES_PER_DOMAIN = 10;
/** As many as one list is asked about at once. */
const LIST_AT_ONCE = 4;

/**
 * Measures check runs of domains per second, without a store in comparison with checkdmarc, and with a store; checks of
 * addresses at a blacklist; and the cost of reports.
 * @param {import("./lib/options.js").Values} values
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 */
export async function intel(values, cleanUp) {
  const rounds = readCount(values, "rounds", 3);
  const domains = readCount(values, "domains", DOMAINS);
  const storedDomains = readCount(values, "domains", STORED_DOMAINS);
  const reportSizes = readCounts(values, "reports", [1, 50, 500]);
  const peer = findPeer(readText(values, "peers") ?? "checkdmarc");
  const directory = makeRunDirectory(readText(values, "dir"), cleanUp);
  const about = { machine: machine(directory), command: commandLine(), startedAt: new Date().toISOString() };
  const loadBefore = loadAverage();
  const addresses = domains * ADDRESSES_PER_DOMAIN;
  const server = await startServer({ domains: Math.max(domains, storedDomains), addresses, cleanUp });
  const client = await openDatabase(directory, cleanUp);

  /** @type {{ looks: Rate[], lists: Rate[], watches: Rate[], reports: ReportCost[] }} */
  const measured = { looks: [], lists: [], watches: [], reports: [] };
  const scene = { server, client, cleanUp };
  const few = (/** @type {number} */ count) => Math.min(count, WARM_UP_DOMAINS);
  await measureRates({
    ...scene,
    domains: few(domains),
    storedDomains: few(storedDomains),
    addresses,
    hasPeer: false,
    round: 0,
  });
  for (let round = 1; round <= rounds; round++) {
    const counts = { domains, storedDomains, addresses };
    const rates = await measureRates({ ...scene, ...counts, hasPeer: peer !== undefined, round });
    measured.looks.push(...rates.looks);
    measured.lists.push(rates.list);
    measured.watches.push(...rates.watches);
    for (const size of inTurn(reportSizes, round))
      measured.reports.push(await measureReport(size, round, cleanUp));
  }

  const loadAverages = { before: loadBefore, after: loadAverage() };
  const result = { ...about, loadAverages, rounds, domains, storedDomains, addresses, peer, ...measured };
  printIntel(result);
  const json = readText(values, "json");
  if (json) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
  return true;
}

/** @param {string} peers @returns {string | undefined} what it is called; undefined: there is none */
function findPeer(peers) {
  if (peers === "none") return undefined;
  if (peers !== "checkdmarc") throw new Error(`--peers: there is no "${peers}".`);
  try {
    return `checkdmarc ${requireCheckdmarc()}`;
  } catch (error) {
    console.error(`without checkdmarc: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

/**
 * @param {{ domains: number, addresses: number, cleanUp: import("./lib/clean-up.js").CleanUp }} options
 * @returns {Promise<Server>}
 */
async function startServer({ domains, addresses, cleanUp }) {
  const child = startChild("dns-server", cleanUp);
  // One domain more than are checked: a peer starts with it.
  const zones = { ...benchZones(domains + 1), ...blacklistZones(addresses) };
  const { address } = await child.ask({ zones });
  return { address, queries: async () => (await child.ask({})).queries };
}

/**
 * @typedef {object} Scene
 * @property {Server} server
 * @property {import("mongodb").MongoClient} client
 * @property {number} domains
 * @property {number} storedDomains
 * @property {number} addresses that the list was given some of
 * @property {boolean} hasPeer
 * @property {number} round
 * @property {import("./lib/clean-up.js").CleanUp} cleanUp
 */

/** All but reports, once. @param {Scene} scene */
async function measureRates(scene) {
  const { server, client, storedDomains, addresses, round } = scene;
  const cold = { round, memory: /** @type {const} */ ("cold"), server };
  const looks = await measureLooks(scene);
  const ofList = { ...cold, subject: "one list", atOnce: LIST_AT_ONCE, count: addresses };
  const list = await measure(ofList, () => askBlacklist({ server: server.address, count: addresses }));
  const watches = [];
  const passes = checkWatches({ client, server: server.address, domains: benchDomains(storedDomains) });
  for await (const { subject, atOnce, pass } of passes)
    watches.push(await measure({ ...cold, subject, atOnce, count: storedDomains }, pass));
  return { looks, list, watches };
}

/**
 * Measures Hermod and its peer in turn, each with an empty cache and then again.
 * @param {Scene} scene
 */
async function measureLooks({ server, domains: count, hasPeer, round, cleanUp }) {
  const domains = benchDomains(count);
  const probes = new Map(benchProbes(count, new Date()).map((probe) => [probe.name, probe]));
  const [first] = benchDomains(count + 1).slice(-1);
  const asked = { server: server.address, domains };
  const starters = {
    Hermod: (/** @type {number} */ atOnce) => startLooking({ ...asked, probes, atOnce }),
    checkdmarc: (/** @type {number} */ atOnce) =>
      startCheckdmarc({ ...asked, atOnce, first: first?.name ?? "", cleanUp }),
  };
  /** @type {(keyof typeof starters)[]} */
  const subjects = hasPeer ? ["Hermod", "checkdmarc"] : ["Hermod"];
  const measured = [];
  for (const atOnce of AT_ONCE) {
    for (const subject of inTurn(subjects, round)) {
      const looking = await starters[subject](atOnce);
      for (const memory of /** @type {const} */ (["cold", "warm"]))
        measured.push(await measure({ subject, atOnce, memory, round, count, server }, looking.pass));
      await looking.end();
    }
  }
  return measured;
}

/**
 * @param {Pick<Rate, "subject" | "atOnce" | "memory" | "round"> & { count: number, server: Server }} scene
 * @param {() => Promise<import("./lib/look-at-domains.js").Pass>} pass
 * @returns {Promise<Rate>}
 */
async function measure({ count, server, ...scene }, pass) {
  const before = await server.queries();
  const { seconds, cpuSeconds } = await pass();
  const queries = (await server.queries()) - before;
  const cpuPerThousand = (cpuSeconds / count) * 1_000;
  const perSecond = count / seconds;
  const { subject, memory, atOnce, round } = scene;
  console.error(`round ${round}, ${subject}, ${memory}, ${atOnce} at once: ${perSecond.toFixed(0)}/s`);
  return { ...scene, perSecond, cpuPerThousand, queriesPerLook: queries / count };
}

/**
 * @param {number} domains
 * @param {number} round
 * @param {import("./lib/clean-up.js").CleanUp} cleanUp
 * @returns {Promise<ReportCost>}
 */
async function measureReport(domains, round, cleanUp) {
  const maker = startChild("report-maker", cleanUp);
  const cost = await maker.ask({ domains });
  await maker.end();
  console.error(`round ${round}, report of ${domains}: PDF in ${cost.pdfSeconds.toFixed(2)} s`);
  return { domains, round, ...cost };
}
