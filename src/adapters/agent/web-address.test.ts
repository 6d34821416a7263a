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
