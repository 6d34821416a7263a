import { expect, it } from "vitest";
import { refusePrivateAddress } from "./web-address.ts";

it.each([
  "http://127.0.0.1:4870/api/sessions",
  "http://localhost/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://0.0.0.0/",
  "http://10.1.2.3/",
  "http://172.31.0.1/",
  "http://192.168.1.1/",
  "http://169.254.169.254/latest/meta-data",
  "http://[fd00::1]/",
  "http://[64:ff9b:1::a00:1]/",
  "http://[2002:a00:1::1]/",
  "http://[::a00:1]/",
  "http://localhost./",
  "https://no-such-host.invalid/",
  "http://2130706433/",
  "http://0x7f.1/",
  "file:///etc/passwd",
  "ftp://example.org/",
  "not an address",
  "",
])("refuses %j", async (address) => {
  expect(await refusePrivateAddress(address)).not.toBeNull();
});

it.each(["https://1.1.1.1/", "https://[2606:4700:4700::1111]/"])("lets %j pass", async (address) => {
  expect(await refusePrivateAddress(address)).toBeNull();
});

it("lets a name pass that only a proxy may know, unless it is surely of the inside", async () => {
  const behindProxy = (host: string) => refusePrivateAddress(`https://${host}/`, { HTTPS_PROXY: "http://proxy.example:3128" });

  expect(await behindProxy("no-such-host.invalid")).toBeNull();
  for (const host of ["no-such-host", "no-such-host.internal", "10.0.0.1", "[::1]"]) expect(await behindProxy(host)).not.toBeNull();
});
