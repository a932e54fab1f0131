import { keptSecret } from "./adapters/config/kept-secret.ts"
import { defineConfig } from "./adapters/config/load.ts"

// A configuration for development: all modules are enabled, and no other server is needed.
export default defineConfig({
  secret: keptSecret(".sallyport/secret"),
  store: { kind: "embedded" },
  mail: { kind: "console" },
  sms: { kind: "console" },
  email_password: { enabled: true, blocklist: "common" },
  pages: {},
  modules: {
    username: {},
    phone: {},
    email_otp: {},
    magic_link: {},
    passkey: {},
    siwe: {},
    social: { providers: [] },
    two_factor: {},
    multi_session: {},
    one_time_token: {},
    bearer: {},
    jwt: {},
    idp: { clients: [] },
    admin: {},
    organization: {},
    audit: {},
    events: {},
  },
})
