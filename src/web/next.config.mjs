import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** @type {import("next").NextConfig} */
const config = {
  // Compression would hold back server-sent events until a buffer is full.
  compress: false,
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  // `npm run check` is the one type check; a build does not repeat it.
  typescript: { ignoreBuildErrors: true },
  // The app reads src/client and src/schema, which lie beside it.
  turbopack: { root: repository },
  outputFileTracingRoot: repository,
  experimental: {
    // The build is small, and scripts/build-web.ts runs it only when sources changed: a cache of 25 MB would not pay.
    turbopackFileSystemCacheForBuild: false,
    // Two thirds of the build would be maps that nobody reads.
    turbopackSourceMaps: false,
  },
};

export default config;
