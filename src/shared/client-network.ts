import ipaddr from "ipaddr.js";

/** Network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which usually belongs to one customer. */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const [first, second, third, fourth] = (parsed as ipaddr.IPv6).parts;
  return [first, second, third, fourth].map((part) => (part ?? 0).toString(16)).join(":");
}
