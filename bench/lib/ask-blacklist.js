import { createResolver } from "../../dist/src/dns/resolver.js";
import { blacklists } from "../../dist/src/intel/blacklists/blacklists.js";
import { createCheckRound } from "../../dist/src/intel/blacklists/check-round.js";
import { isOpen, openLists } from "../../dist/src/intel/blacklists/open-lists.js";
import { addressSubject, queryLabels } from "../../dist/src/intel/blacklists/subject.js";
import { systemClock as clock } from "../../dist/src/shared/clock.js";
import { timed } from "./look-at-domains.js";

const LIST = "psbl";
/** One of so many addresses is listed, and its text asked for. */
const LISTED_EVERY = 50;
const LISTED = "127.0.0.2";

/** @returns {import("../../dist/src/intel/blacklists/open-lists.js").OpenList} */
function openList() {
  const list = openLists(blacklists, {}).find(({ list: { id } }) => id === LIST);
  if (!list || !isOpen(list)) throw new Error(`The list ${LIST} is not open.`);
  return list;
}

/** @param {number} count */
function addresses(count) {
  return Array.from({ length: count }, (_, n) => `5.${100 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`);
}

/**
 * The zone of a list that contains some of these addresses.
 * @param {number} count
 * @returns {import("./intel-zones.js").Zones}
 */
export function blacklistZones(count) {
  const list = openList();
  const named = (/** @type {string} */ address) => list.secretName(queryLabels("ip4", address));
  const listed = addresses(count).filter((_, n) => n % LISTED_EVERY === 0);
  const entry = { A: [LISTED], TXT: [[`Listed: see ${list.list.delistUrl}`]] };
  return Object.fromEntries([LISTED, ...listed].map((address) => [named(address), entry]));
}

/**
 * One round of one list, including its test before, with an empty cache.
 * @param {{ server: string, count: number }} options
 * @returns {Promise<import("./look-at-domains.js").Pass>}
 */
export async function askBlacklist({ server, count }) {
  const checkRound = createCheckRound({ resolver: createResolver({ servers: [server], clock }), clock });
  const subjects = addresses(count).flatMap((address) => addressSubject(address) ?? []);
  const round = { open: openList(), subjects, maxQueries: Number.MAX_SAFE_INTEGER };
  return timed(async () => {
    const { checks } = await checkRound(round);
    const states = checks.map(({ check }) => check.state);
    const listed = states.filter((state) => state === "listed").length;
    const clean = states.filter((state) => state === "clean").length;
    if (listed !== Math.ceil(count / LISTED_EVERY) || listed + clean !== count)
      throw new Error(`${listed} of ${count} addresses are listed, and ${clean} are not.`);
  });
}
