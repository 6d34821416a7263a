import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { hostsOf } from "./guard.ts";

describe("the names a hall answers to", () => {
  it("are those of loopback, with its port, and no others (SEC-2)", () => {
    expect([...hostsOf({ host: "127.0.0.1", port: 4870, names: [] })]).toEqual(["127.0.0.1:4870", "localhost:4870", "[::1]:4870"]);
  });

  it("include configured names, with the port they were given or its own (SEC-2)", () => {
    const hosts = hostsOf({ host: "127.0.0.1", port: 4870, names: ["Hall.Example", "hall.example:443", "[fd00::1]"] });

    expect([...hosts].slice(3)).toEqual(["hall.example:4870", "hall.example:443", "[fd00::1]:4870"]);
  });

  it("include the machine's own addresses where it listens on all of them, which DNS cannot rebind (SEC-2)", () => {
    const hosts = hostsOf({ host: "0.0.0.0", port: 80, names: [] });

    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    for (const { address, family } of own.filter((each) => each.family === "IPv4"))
      expect([family, hosts.has(address)]).toEqual(["IPv4", true]);
    expect(hosts.has("evil.example")).toBe(false);
  });
});
