import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { ChildEnvironment } from "./child-environment.ts";

/**
 * Why a page may not be fetched, or null. Loopback and private networks are out of reach: what listens there trusts its
 * neighbours. `env`, of the process that fetches, says whether it does so through a proxy.
 */
export async function refusePrivateAddress(address: string, env: ChildEnvironment = {}): Promise<string | null> {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return `"${address}" is not a web address.`;
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host, family: isIP(host) }];
  // Behind a proxy it may be the proxy alone who knows names, so only those that are surely of the inside are refused.
  if (found.length === 0 && !(hasProxy(env) && isPublicName(host))) {
    return `${url.hostname} is not a known name, so nobody can tell whether it is private, and it is not fetched.`;
  }
  const closed = found.some((one) => closedNetworks().check(one.address, one.family === 6 ? "ipv6" : "ipv4"));
  return closed ? `${url.hostname} is an address of this machine or of a private network, which is not fetched.` : null;
}

const hasProxy = (env: ChildEnvironment): boolean =>
  Object.entries(env).some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value !== "");

const isPublicName = (host: string): boolean => /\.(?!(local|localhost|internal|lan|home|corp|intranet)$)[^.]+$/i.test(host);

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
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
];
