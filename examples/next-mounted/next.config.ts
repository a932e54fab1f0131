import type { NextConfig } from "next"

export default {
  serverExternalPackages: ["sallyport"],
  // Otherwise `next dev` keeps running the old code of modules that `proxy.ts` imports as well.
  experimental: { turbopackServerFastRefresh: false },
} satisfies NextConfig
