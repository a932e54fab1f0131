import { Effect } from "effect"
import { expect, it } from "vitest"
import { configurationOf } from "../../../adapters/config/load.ts"
import { optional } from "../../../application/modules/index.ts"
import { notes } from "../../../examples/notes.ts"
import { defineConfig } from "../../../index.ts"

const secret = "0123456789abcdef0123456789abcdef"
const google = { client_id: "ours", client_secret: "s", redirect_uri: "http://localhost:3000/api/auth/oauth/callback" }

const right = defineConfig({
  $schema: "./sallyport.schema.json",
  secret,
  email_password: { enabled: true },
  modules: { passkey: true, magic_link: false, username: {}, social: { providers: [{ preset: "google", ...google }] }, notes: {} },
  extensions: [notes],
})

/** What neither the compiler nor the service accepts: `npm run check` fails if one of them compiles. */
const wrong: ReadonlyArray<object> = [
  // @ts-expect-error
  defineConfig({ publicurl: "http://localhost:3000" }),
  // @ts-expect-error
  defineConfig({ public_url: 3000 }),
  // @ts-expect-error
  defineConfig({ secret: 7 }),
  // @ts-expect-error
  defineConfig({ listen: { port: "3000" } }),
  // @ts-expect-error
  defineConfig({ trusted_origins: "https://app.example.com" }),
  // @ts-expect-error
  defineConfig({ session: { expires_in: "7d" } }),
  // @ts-expect-error
  defineConfig({ session: { expiresIn: 60 } }),
  // @ts-expect-error
  defineConfig({ email_password: true }),
  // @ts-expect-error
  defineConfig({ email_password: { enbled: true } }),
  // @ts-expect-error
  defineConfig({ store: { kind: "postgresql", url: "postgres://localhost" } }),
  // @ts-expect-error
  defineConfig({ store: { kind: "postgres" } }),
  // @ts-expect-error
  defineConfig({ mail: { kind: "smtp", host: "localhost" } }),
  // @ts-expect-error
  defineConfig({ log: { level: "verbose" } }),
  // @ts-expect-error
  defineConfig({ rate_limit: { store: "database" } }),
  // @ts-expect-error
  defineConfig({ graphql: { enabled: "yes" } }),
  // @ts-expect-error
  defineConfig({ modules: ["passkey"] }),
  // @ts-expect-error
  defineConfig({ modules: { pass_key: {} } }),
  // @ts-expect-error
  defineConfig({ modules: { passkey: { rpid: "x" } } }),
  // @ts-expect-error
  defineConfig({ modules: { passkey: null } }),
  // @ts-expect-error
  defineConfig({ modules: { magic_link: { expires_in: "10m" } } }),
  // @ts-expect-error
  defineConfig({ modules: { social: { providers: [{ preset: "gogle", ...google }] } } }),
  // @ts-expect-error
  defineConfig({ modules: { social: { providers: [{ preset: "google" }] } } }),
  // @ts-expect-error
  defineConfig({ modules: { notes: {} } }),
  // @ts-expect-error
  defineConfig({ modules: { notes: { max_length: "4" } }, extensions: [notes] }),
  // @ts-expect-error
  defineConfig({ modules: { notes: false }, extensions: [notes] }),
  // @ts-expect-error
  defineConfig({ extensions: [{ name: "notes" }] }),
]

it("26 wrong configurations do not compile and do not start, and a right one does", async () => {
  const faults = (configuration: object) =>
    Effect.runPromise(
      Effect.match(configurationOf({ secret, ...configuration }, optional), { onFailure: () => "refused", onSuccess: () => "" }),
    )
  expect(await faults(right)).toBe("")
  expect(await Promise.all(wrong.map(faults))).toEqual(wrong.map(() => "refused"))
  expect(wrong).toHaveLength(26)
})
