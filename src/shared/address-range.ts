import ipaddr from "ipaddr.js";

/** Whether the address is in one of the ranges, or there are no ranges. IPv4-mapped IPv6 counts as IPv4. */
export function addressAllowed(ranges: readonly string[], address: string): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = range.includes("/") ? ipaddr.parseCIDR(range) : wholeAddress(range);
    return client.kind() === network.kind() && client.match(network, bits);
  });
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** Whether a range is valid: an IP address, or one with a prefix length. */
export function isAddressRange(text: string): boolean {
  return text.includes("/") ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
