import type { NextConfig } from "next"

const service = process.env.AUTH_URL ?? "http://localhost:3000"

// One origin for the page and the service.
export default {
  rewrites: async () => [{ source: "/api/auth/:path*", destination: `${service}/api/auth/:path*` }],
} satisfies NextConfig
