import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { Variables } from "./environment.ts";

/**
 * Why a page may not be fetched, or null where it may. What listens on this machine or in its network often trusts
 * whoever can reach it, so a model that was talked into asking there must not get through. `env` says whether a proxy fetches.
 */
export async function refuseAddress(address: string, env: Variables): Promise<string | null> {
  const url = URL.parse(address);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return `"${address}" is not the address of a web page.`;
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  // Behind a proxy names may be known to nobody but the proxy, so only a name that is surely of the inside is refused.
  if (addresses.length === 0 && !(isBehindProxy(env) && isPublicName(host))) {
    return `${url.hostname} is not known here, so it cannot be told where it leads. Only public pages can be fetched.`;
  }
  if (!addresses.some(isClosed)) return null;
  return `${url.hostname} belongs to this machine or to a private network. Only public pages can be fetched.`;
}

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

const isBehindProxy = (env: Variables): boolean =>
  Object.entries(env).some(([name, value = ""]) => /^(https?|all)_proxy$/i.test(name) && value !== "");

const isPublicName = (host: string): boolean => /\.(?!(local|localhost|internal|lan|home|corp|intranet)$)[^.]+$/i.test(host);

/** An IPv4 address in the clothes of an IPv6 one (`::ffff:127.0.0.1`) is judged by the rules for IPv4. */
const isClosed = (address: string): boolean => closed.check(address, familyOf(address));

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

const networks = [
  "0.0.0.0/8", // this host
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind a carrier's translator
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, where clouds answer with credentials
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.168.0.0/16", // private
  "198.18.0.0/15", // measurements
  "224.0.0.0/3", // groups, and all that is reserved
  "::/96", // nowhere, loopback, and IPv4 as it was once written
  "64:ff9b::/96", // IPv4 behind a translator
  "64:ff9b:1::/48", // the same, in a network of one's own
  "2002::/16", // IPv4 through a tunnel
  "fc00::/7", // private
  "fe80::/10", // link-local
  "ff00::/8", // groups
];

const closed = blockListOf(networks);

function blockListOf(all: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of all) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}
