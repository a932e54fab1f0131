import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { nodeHandler, sallyport } from "../../index.ts"
import { settings, told } from "../everything.ts"

const silent = { send: async () => {} }

/** The secret of the job's client, in `SYNC_SECRET`. */
export const syncSecret = "a-secret-of-a-job-for-these-tests-only"

const job = {
  client_id: "nightly-sync",
  client_secret: syncSecret,
  grant_types: ["client_credentials" as const],
  resources: ["http://localhost:3000/api/auth/admin"],
  scopes: ["users:read"],
}

/** The configuration that the pages assume: every module, with the names of the examples. */
const configuration = (twoFactor: object, admin: object) => ({
  secret: "a secret for these tests only, 32+ bytes",
  public_url: "http://localhost:3000",
  trusted_origins: ["https://app.example.com"],
  store: { kind: "memory" as const },
  mail: silent,
  sms: silent,
  log: { level: "error" as const },
  rate_limit: { enabled: false },
  email_password: { enabled: true, hash: { memory_kib: 1024, passes: 1, lanes: 1 } },
  modules: {
    ...settings,
    two_factor: twoFactor,
    admin,
    bearer: { redirects: ["https://wiki.example.com/callback"] },
    idp: { clients: [{ client_id: "wiki", client_secret: "", redirect_uris: ["https://wiki.example.com/callback"] }, job] },
    social: { providers: told.social.providers.map((provider) => ({ ...provider, id: "google" })) },
  },
})

const administrator = "root@example.com"
const administration = {
  admin_emails: [administrator],
  jobs: true,
  required_actions: true,
  suspension: true,
  exports: true,
  erasures: true,
  merges: true,
  operations: true,
}

export interface Service {
  readonly port: number
  /** The cookie of a new user, or of the administrator. */
  readonly signUp: (as?: "administrator") => Promise<string>
  readonly close: () => Promise<void>
}

/** A service on a free port. With `required` second factors, remembered browsers and mailed codes, which add endpoints, it has no administrator. */
export const start = async ({ required }: { readonly required: boolean }): Promise<Service> => {
  const auth = sallyport(
    configuration(required ? { required: "admins", remember_browser: {}, methods: ["totp", "email"] } : {}, required ? {} : administration),
  )
  const server = createServer(nodeHandler(auth))
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  const { port } = server.address() as AddressInfo
  let users = 0
  const open = async (email: string) => {
    const answer = await fetch(`http://localhost:${port}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: "correct horse battery staple" }),
    })
    const [cookie = ""] = answer.headers.getSetCookie()
    if (!answer.ok || cookie === "") throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`)
    return cookie.split(";")[0]!
  }
  const root = required ? undefined : open(administrator)
  return {
    port,
    signUp: (as) =>
      as === undefined ? open(`user-${users++}@example.com`) : (root ?? Promise.reject(new Error("this service has no administrator"))),
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
      await auth.close()
    },
  }
}
