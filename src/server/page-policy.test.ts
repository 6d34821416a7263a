import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { applyPagePolicy } from "./page-policy.ts";

async function policyOf(path: string): Promise<string> {
  const server = createServer((request, response) => {
    applyPagePolicy(request, response);
    response.end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
  return headers.get("content-security-policy") ?? "";
}

describe("the policy of an answer", () => {
  it("lets a page run its own scripts by nonce (SEC-6)", async () => {
    expect(await policyOf("/apiary")).toMatch(/script-src 'self' 'nonce-/);
  });

  it.each(["/api", "/api/sessions/x/artifacts/page.html", "/api?x"])("lets nothing of the API act: %s (SEC-6)", async (path) => {
    const policy = await policyOf(path);

    expect(policy).toMatch(/^default-src 'none'; .*sandbox$/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("script-src");
  });
});
