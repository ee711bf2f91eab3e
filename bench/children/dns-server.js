/**
 * A DNS server on loopback over UDP, which answers as a resolver would that has everything in its memory already.
 * `{ zones }` sets what there is; any message is answered with its address, and how often it was asked so far.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import * as wire from "dns-packet";
import { serveParent } from "../lib/serve-parent.js";

const TTL_SECONDS = 3_600;
const NEGATIVE_TTL_SECONDS = 300;
const HEADER_BYTES = 12;
const NXDOMAIN = 3;

/**
 * @typedef {object} Answer
 * @property {Buffer} head its header without the id
 * @property {Buffer} tail what follows the question
 * @property {number} end where the question ends
 */

/** @type {import("../lib/intel-zones.js").Zones} */
let zones = {};
/** Names above others, which exist though they hold nothing. @type {Set<string>} */
let parents = new Set();
/** By type and name. @type {Map<string, Answer>} */
let answers = new Map();
let queries = 0;

/** @param {string} name @param {string} type @returns {Answer} */
function answerTo(name, type) {
  const data = zones[name]?.[type] ?? [];
  const exists = zones[name] !== undefined || parents.has(name);
  const soa = { mname: "ns.example", rname: "hostmaster.example", minimum: NEGATIVE_TTL_SECONDS };
  const denial = { name: "example", type: "SOA", ttl: NEGATIVE_TTL_SECONDS, data: soa };
  const message = wire.encode({
    type: "response",
    flags: wire.RECURSION_DESIRED | wire.RECURSION_AVAILABLE | (exists ? 0 : NXDOMAIN),
    questions: [{ name, type }],
    answers: data.map((one) => ({ name, type, ttl: TTL_SECONDS, data: one })),
    authorities: data.length > 0 ? [] : [denial],
  });
  const end = wire.encode({ questions: [{ name, type }] }).length;
  return { head: message.subarray(2, HEADER_BYTES), tail: message.subarray(end), end };
}

const socket = createSocket({ type: "udp4", recvBufferSize: 4 * 1024 * 1024 });
socket.on("message", (message, { port, address }) => {
  queries++;
  const { questions } = wire.decode(message);
  const { name = ".", type = "A" } = questions[0] ?? {};
  const key = `${type} ${name.toLowerCase()}`;
  const answer = answers.get(key) ?? answerTo(name.toLowerCase(), type);
  answers.set(key, answer);
  const { head, tail, end } = answer;
  // The question comes back letter by letter: a resolver may have mixed its cases.
  socket.send([message.subarray(0, 2), head, message.subarray(HEADER_BYTES, end), tail], port, address);
});
socket.bind(0, "127.0.0.1");
await once(socket, "listening");

serveParent(async (message) => {
  if (message.zones) {
    zones = message.zones;
    answers = new Map();
    parents = new Set(Object.keys(zones).flatMap(parentsOf));
  }
  return { address: `127.0.0.1:${socket.address().port}`, queries };
});

/** @param {string} name */
function parentsOf(name) {
  const labels = name.split(".");
  return labels.slice(1).map((_, place) => labels.slice(place + 1).join("."));
}
