import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Why a page may not be fetched, or null. Loopback and private networks are out of reach: what listens there trusts its neighbours. */
export async function refusePrivateAddress(address: string): Promise<string | null> {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return `"${address}" is not a web address.`;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host, family: isIP(host) }];
  const closed = found.some((one) => closedNetworks().check(one.address, one.family === 6 ? "ipv6" : "ipv4"));
  return closed ? `${url.hostname} is an address of this machine or of a private network, which is not fetched.` : null;
}

/** IPv4 addresses inside IPv6 ones are matched by the IPv4 rules. */
function closedNetworks(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ipv4) list.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of ipv6) list.addSubnet(network, prefix, "ipv6");
  return list;
}

const ipv4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
];

const ipv6: readonly [string, number][] = [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
];
