import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRefuseDestination, isPublicAddress, privateHostReason } from "./destination-address.ts";

const PUBLIC = [
  "8.8.8.8",
  "1.1.1.1",
  "168.63.129.15",
  "168.63.129.17",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "192.0.1.1",
  "198.17.255.255",
  "223.255.255.255",
  "2a00:1450:4013:c01::1a",
  "2607:f8b0:4004:c07::1b",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
];

/** Among them what stands for one host, if not everywhere. */
const NOT_PUBLIC = [
  "127.0.0.1",
  "127.255.255.254",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "169.254.170.2",
  "169.254.42.42",
  "168.63.129.16",
  "::ffff:168.63.129.16",
  "::ffff:a83f:8110",
  "::168.63.129.16",
  "64:ff9b::168.63.129.16",
  "64:ff9b::a83f:8110",
  "64:ff9b:1::a83f:8110",
  "2002:a83f:8110::1",
  "2001:0:a83f:8110::1",
  "192.0.0.192",
  "fd20:ce::254",
  "fd00:42::42",
  "100.64.0.1",
  "100.100.100.200",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "240.0.0.1",
  "255.255.255.254",
  "::1",
  "fe80::1",
  "fe80::1%lo",
  "fc00::1",
  "fd00:ec2::254",
  "fec0::1",
  "100::1",
  "2001:db8::1",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "::127.0.0.1",
  "::8.8.8.8",
  "::ffff:127.0.0.1",
  "::ffff:a00:1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::808:808",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "2001:0:808:808::f5ff:fffe",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
];

const NO_HOST = [
  "0.0.0.0",
  "0.1.2.3",
  "::",
  "224.0.0.1",
  "239.255.255.255",
  "ff02::1",
  "255.255.255.255",
  "::ffff:0.0.0.0",
  "::ffff:224.0.0.1",
  "64:ff9b::",
  "64:ff9b::255.255.255.255",
];

const NO_ADDRESS = [
  "",
  ".",
  "localhost",
  "127.1",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "2130706433",
  "1.2.3.4.",
  "[::1]",
  "8.8.8.8/32",
  "８.8.8.8",
];

describe("addresses of the Internet", () => {
  const refuse = createRefuseDestination({ allowPrivate: false, ownAddresses: [] });

  it.each(PUBLIC)("%s is one", (address) => {
    expect([isPublicAddress(address), refuse(address)]).toEqual([true, undefined]);
  });
  it.each(NOT_PUBLIC)("%s is none", (address) => {
    expect([isPublicAddress(address), refuse(address)]).toEqual([false, "not_public"]);
  });
  it.each(NO_HOST)("%s is no host's", (address) => {
    expect([isPublicAddress(address), refuse(address)]).toEqual([false, "no_host"]);
  });
  it.each(NO_ADDRESS)("%j is no address in its usual notation", (address) => {
    expect([isPublicAddress(address), refuse(address)]).toEqual([false, "not_an_address"]);
  });

  it("IPv4 is judged alike in every wrapping that leads to it", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const refusal = refuse(address);
        expect([refuse(`::ffff:${address}`), refuse(`64:ff9b::${address}`)]).toEqual([refusal, refusal]);
      }),
    );
  });
});

describe("our own addresses", () => {
  const ownAddresses = ["8.8.8.8", "2a00:0:0::1", "127.0.0.1", "10.0.0.1", "fe80::1%eth0", "not an address"];
  const refuse = createRefuseDestination({ allowPrivate: false, ownAddresses });

  it.each(["8.8.8.8", "::ffff:8.8.8.8", "::ffff:808:808", "64:ff9b::808:808", "2a00::1", "2A00:0::1"])(
    "are recognized as %s",
    (address) => {
      expect(refuse(address)).toBe("own");
    },
  );

  it.each(["127.0.0.1", "10.0.0.1", "fe80::1"])(
    "are refused like those of other machines when private: %s",
    (address) => {
      expect(refuse(address)).toBe("not_public");
    },
  );

  it("others are not", () => {
    expect([refuse("8.8.4.4"), refuse("2a00::2")]).toEqual([undefined, undefined]);
  });
});

describe("with private destinations allowed", () => {
  const refuse = createRefuseDestination({ allowPrivate: true, ownAddresses: ["127.0.0.1"] });

  it.each([...PUBLIC, ...NOT_PUBLIC])("%s may be connected to", (address) => {
    expect(refuse(address)).toBeUndefined();
  });
  it.each(NO_HOST)("%s may not: it is no host's", (address) => {
    expect(refuse(address)).toBe("no_host");
  });
  it.each(NO_ADDRESS)("%j may not: it is no address", (address) => {
    expect(refuse(address)).toBe("not_an_address");
  });
});

describe("a host in text", () => {
  it.each([
    ...[
      "localhost",
      "LOCALHOST",
      "localhost.",
      "a.localhost",
      "a.localhost.",
      "localhost.localdomain",
      "ip6-localhost",
    ],
    ...[
      "127.0.0.1",
      "127.0.0.1.",
      "127.1",
      "0x7f.1",
      "0x7f000001",
      "0177.0.0.1",
      "2130706433",
      "017700000001",
    ],
    ...["0", "0x0", "10.1", "192.168.257", "0xA9FEA9FE", "169.254.169.254"],
    ...["::1", "[::1]", "::ffff:127.0.0.1", "[::ffff:7f00:1]", "::ffff:0:0", "fd00::1", "fe80::1%eth0"],
    ...["999.999.999.999", "1.2.3.4.5", "0x100000000", ""],
  ])("is refused as %s", (host) => {
    expect(privateHostReason(host)).toEqual(expect.any(String));
  });

  it.each([
    ...["smtp.example.com", "smtp.example.com.", "localhost.example.com", "mylocalhost", "0x7f.example"],
    ...["8.8.8.8", "8.8.8.8.", "134744072", "0x08080808", "2001:4860:4860::8888", "[2001:4860:4860::8888]"],
  ])("is accepted as %s", (host) => {
    expect(privateHostReason(host)).toBeUndefined();
  });
});
