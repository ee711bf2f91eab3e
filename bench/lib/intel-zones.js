import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { issueCertificate } from "../../dist/src/shared/issue-certificate.js";

/**
 * @typedef {object} BenchDomain a domain as it is watched
 * @property {string} name
 * @property {"sending"} role
 * @property {string[]} dkimSelectors
 * @property {string[]} sendingIps
 *
 * @typedef {Readonly<Record<string, readonly unknown[]>>} Records of a name, by type, as dns-packet has their data
 * @typedef {Record<string, Records>} Zones by name
 */

/** Number of providers in SPF includes: domains share them, as in practice. */
const PROVIDERS = 10;
/** The mail hosts are below this name: so one certificate is good for all. */
const HOSTS = "mail.example";
const REPORTS = "reports.example";
const DAY_MS = 86_400_000;

/** @param {number} count @returns {BenchDomain[]} */
export function benchDomains(count) {
  return Array.from({ length: count }, (_, n) => ({
    name: nameOf(n),
    role: /** @type {const} */ ("sending"),
    dkimSelectors: ["s1", "s2"],
    sendingIps: [addressOf(n)],
  }));
}

/**
 * The DNS zones of these domains, without problems: SPF with includes of its own and of a provider, DKIM, DMARC with
 * reports to a third party, two mail hosts, names of addresses, CAA, TLS reports.
 * @param {number} count
 * @returns {Zones}
 */
export function benchZones(count) {
  const dkim = `v=DKIM1; k=rsa; p=${publicKey()}`;
  /** @type {Zones} */
  const zones = {};
  for (let n = 0; n < PROVIDERS; n++) {
    zones[`_spf.provider${n}.example`] = text(`v=spf1 include:_net.provider${n}.example ~all`);
    zones[`_net.provider${n}.example`] = text(`v=spf1 ip4:198.51.${n}.0/24 ip6:2001:db8:${n}::/48 ~all`);
  }
  for (let n = 0; n < count; n++) {
    const name = nameOf(n);
    const address = addressOf(n);
    const spf = `v=spf1 a:out.${name} include:_spf.${name} include:_spf.provider${n % PROVIDERS}.example -all`;
    const hosts = hostsOf(name);
    zones[name] = {
      ...text(spf),
      A: [address],
      MX: hosts.map((exchange, place) => ({ preference: 10 * (place + 1), exchange })),
      CAA: [{ flags: 0, tag: "issue", value: "ca.example" }],
      NS: [`ns1.${name}`, `ns2.${name}`],
    };
    zones[`_spf.${name}`] = text(`v=spf1 ip4:${address} mx ~all`);
    zones[`s1._domainkey.${name}`] = text(dkim);
    zones[`s2._domainkey.${name}`] = text(dkim);
    zones[`_dmarc.${name}`] = text(`v=DMARC1; p=reject; rua=mailto:dmarc@${REPORTS}`);
    zones[`${name}._report._dmarc.${REPORTS}`] = text("v=DMARC1");
    zones[`_smtp._tls.${name}`] = text(`v=TLSRPTv1; rua=mailto:tls@${REPORTS}`);
    zones[`out.${name}`] = { A: [address] };
    zones[`${address.split(".").reverse().join(".")}.in-addr.arpa`] = { PTR: [`out.${name}`] };
    for (const [place, host] of hosts.entries()) {
      const own = hostAddressOf(n, place);
      zones[host] = { A: [own] };
      zones[`${own.split(".").reverse().join(".")}.in-addr.arpa`] = { PTR: [host] };
    }
  }
  zones[REPORTS] = { A: ["192.0.2.1"], MX: [{ preference: 10, exchange: REPORTS }] };
  return zones;
}

/**
 * Probes of the mail hosts of these domains, without problems and without connections.
 * @param {number} count
 * @param {Date} at
 */
export function benchProbes(count, at) {
  const { pem } = issueCertificate({ subject: HOSTS, names: [`*.${HOSTS}`] });
  const certificate = new X509Certificate(pem).raw;
  return Array.from({ length: count }, (_, n) =>
    hostsOf(nameOf(n)).map((name, place) => ({
      name,
      at,
      addresses: [
        {
          address: hostAddressOf(n, place),
          greeting: `220 ${name} ESMTP`,
          outcome: "answered",
          startTls: { kind: "works", tls: tlsOf(certificate, at) },
        },
      ],
    })),
  ).flat();
}

/** TLS facts for a certificate of a public authority. @param {Buffer} certificate @param {Date} at */
function tlsOf(certificate, at) {
  const [validFrom, validTo] = [-30, 60].map((days) => new Date(at.getTime() + days * DAY_MS));
  return {
    protocol: "TLSv1.3",
    cipher: "TLS_AES_256_GCM_SHA384",
    // Its own, and one that leads to the authority and is as large as most.
    certificates: [certificate, Buffer.alloc(1_200, 1)],
    certificate: {
      subject: `CN=${HOSTS}`,
      issuer: "CN=CA",
      names: [`*.${HOSTS}`],
      validFrom,
      validTo,
      isSelfSigned: false,
    },
  };
}

/** One key for all domains: what it takes to read one does not depend on which it is. */
function publicKey() {
  const { publicKey: key } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return key.export({ type: "spki", format: "der" }).toString("base64");
}

/** @param {string} value @returns {Records} in pieces of 255 octets at most */
function text(value) {
  return { TXT: [value.match(/.{1,255}/g) ?? []] };
}

/** @param {number} n */
function nameOf(n) {
  return `domain${n}.example`;
}

/** @param {string} name */
function hostsOf(name) {
  return ["mx1", "mx2"].map((host) => `${host}-${name.split(".")[0]}.${HOSTS}`);
}

/** @param {number} n */
function addressOf(n) {
  return `5.${10 + (n >> 8)}.${n & 255}.1`;
}

/** @param {number} n @param {number} place */
function hostAddressOf(n, place) {
  return `5.${10 + (n >> 8)}.${n & 255}.${25 + place}`;
}
