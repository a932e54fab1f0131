import type { NextConfig } from "next"

export default { serverExternalPackages: ["sallyport"] } satisfies NextConfig
