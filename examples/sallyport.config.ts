import { defineConfig, keptSecret } from "sallyport"

// The service for these examples, at http://localhost:3000. Its users are lost when it stops.
export default defineConfig({
  secret: keptSecret(".sallyport/secret"),
  store: { kind: "memory" },
  email_password: { enabled: true },
  trusted_origins: [3701, 3702, 3703, 3705, 3706].map((port) => `http://localhost:${port}`),
  trusted_proxies: ["127.0.0.0/8", "::1/128"],
  pages: {},
  modules: { bearer: { redirects: ["com.example.app:/auth"] }, jwt: { algorithm: "EdDSA" } },
})
