import { defineConfig } from "./adapters/config/input.ts"
import { keptSecret } from "./adapters/config/kept-secret.ts"
import { optional } from "./application/modules/index.ts"

// A configuration for development: all modules are enabled, and no other server is needed.
export default defineConfig({
  secret: keptSecret(".sallyport/secret"),
  store: { kind: "embedded" },
  mail: { kind: "console" },
  sms: { kind: "console" },
  email_password: { enabled: true, blocklist: "common" },
  pages: {},
  modules: { ...Object.fromEntries(optional.map(({ name }) => [name, {}])), social: { providers: [] }, idp: { clients: [] } },
})
