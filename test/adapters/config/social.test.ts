import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { load } from "../../../adapters/config/load.ts"
import { social } from "../../../application/modules/social/index.ts"
import { callback, configured } from "../../application/modules/social/provider.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-config-"))
afterAll(() => rmSync(folder, { recursive: true }))

const secret = "0123456789abcdef0123456789abcdef"

const loaded = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return load({ file: name, directory: folder, environment: {} }, [social])
}

/** The faults of a configuration with these providers; none if it is valid. */
const faultsOf = (providers: unknown, core: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  loaded("config.json", JSON.stringify({ secret, ...core, modules: { social: { providers, ...more } } })).pipe(
    Effect.match({ onSuccess: () => [] as ReadonlyArray<string>, onFailure: ({ faults }) => faults }),
  )

/** A provider without some of its keys. */
const without = (keys: ReadonlyArray<string>, more: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(configured("acme", more)).filter(([key]) => !keys.includes(key)))

const cases = (
  name: string,
  all: ReadonlyArray<readonly [providers: unknown, faults: ReadonlyArray<string>, core?: Record<string, unknown>]>,
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      for (const [providers, faults, core] of all) expect(yield* faultsOf(providers, core)).toEqual(faults)
    }),
  )

const at = (key: string) => `modules.social.providers.0.${key}`

describe("modules.social", () => {
  cases("takes providers that say everything, and presets that need not", [
    [[], []],
    [[configured("acme"), configured("other")], []],
    [[without(["id", "scopes", "map_user"], { preset: "idp_one" }), without(["id", "scopes", "map_user"], { preset: "idp_two" })], []],
    [[without(["scopes", "map_user"], { preset: "idp_one", id: "mine" })], []],
    [[configured("acme", { success_redirect: null }), configured("other", { success_redirect: "https://app.example.com/?a=1#b" })], []],
    [[configured("acme", { token_url: "http://localhost:9000/token" })], []],
    [["always", "when_verified", "never"].map((trust_email, index) => configured(`acme${index}`, { trust_email })), []],
    [
      ["https://acme.example", "https://acme.example/", "http://localhost:9000/x"].map((issuer, index) =>
        configured(`a${index}`, { issuer }),
      ),
      [],
    ],
    [
      [configured("acme", { redirect_uri: "https://id.example.com/x/oauth/callback" })],
      [],
      { public_url: "https://id.example.com", base_path: "/x" },
    ],
  ])

  it.effect("accepts the examples of docs/configuration.md", () =>
    Effect.gen(function* () {
      const docs = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
      const [, examples = ""] = docs.split("Two examples, of Google and of GitHub")
      const providers: ReadonlyArray<{ readonly id: string }> = JSON.parse(examples.split("```")[1]?.replace(/^json/, "") ?? "")
      expect(providers.map(({ id }) => id)).toEqual(["google", "github"])
      expect(yield* faultsOf(providers, { public_url: "https://id.example.com" })).toEqual([])
    }),
  )

  cases("says what is missing", [
    [
      [without(["id", "client_secret", "map_user"])],
      [
        `${at("id")}: found nothing, wanted a name of at most 64 letters, digits and _ . -`,
        `${at("client_secret")}: found nothing, wanted a text that is not empty`,
        `${at("map_user")}: found nothing, wanted an object that names the members of a profile, or a function`,
      ],
    ],
    [[without(["client_id"], { preset: "idp_one" })], [`${at("client_id")}: found nothing, wanted a text that is not empty`]],
    [["acme"], [`modules.social.providers.0: found "acme", wanted an object`]],
  ])

  cases("the callback is ours", [
    ...[
      `${callback}/`,
      `${callback}?a=b`,
      callback.replace("http:", "https:"),
      "/api/auth/oauth/callback",
      "https://evil.example/oauth/callback",
    ].map(
      (redirect_uri) =>
        [
          [configured("acme", { redirect_uri })],
          [`${at("redirect_uri")}: found ${JSON.stringify(redirect_uri)}, wanted ${callback}`],
        ] as const,
    ),
  ])

  cases("no two providers share a name, and none takes that of another way to sign in", [
    [[configured("acme"), configured("acme")], ['modules.social.providers.1.id: found "acme", wanted a name that no other provider has']],
    ...["credential", "phone", "siwe", "passkey"].map(
      (id) => [[configured(id)], [`${at("id")}: found "${id}", wanted another name than credential, phone, siwe, passkey`]] as const,
    ),
    ...["", "a b", "a:b", "a@b", "-a", "x".repeat(65)].map(
      (id) => [[configured("acme", { id })], [expect.stringMatching(/^modules\.social\.providers\.0\.id: found /)]] as any,
    ),
  ])

  cases("codes and tokens travel over https, or within this machine", [
    ...["authorize_url", "token_url", "userinfo_url"].flatMap((key) =>
      ["http://acme.example/x", "acme.example", "https://user:password@acme.example/"].map(
        (url) =>
          [
            [configured("acme", { [key]: url })],
            [
              expect.stringMatching(
                new RegExp(
                  `^modules\\.social\\.providers\\.0\\.${key}: found .*, wanted a URL that begins with https://, or http:// on this machine$`,
                ),
              ),
            ],
          ] as any,
      ),
    ),
  ])

  cases("browsers are sent on to pages only", [
    ...["javascript:alert(1)", "//evil.example", "/\\evil.example", "app", "/a\nb", "https://a b", "data:text/html,x"].map(
      (success_redirect) =>
        [
          [configured("acme", { success_redirect })],
          [
            `${at("success_redirect")}: found ${JSON.stringify(success_redirect)}, wanted a URL that begins with https:// or http://, or a path`,
          ],
        ] as const,
    ),
  ])

  cases("says what else it cannot use, without repeating a secret", [
    [[configured("acme", { scopes: ["a b"] })], ['modules.social.providers.0.scopes.0: found "a b", wanted a scope without blanks']],
    [[configured("acme", { scopes: [] })], [expect.stringContaining(`${at("scopes")}`)]] as any,
    [
      [configured("acme", { map_user: "sub" })],
      [`${at("map_user")}: found "sub", wanted an object that names the members of a profile, or a function`],
    ],
    [[configured("acme", { trust_email: true })], [`${at("trust_email")}: found true, wanted "always", "when_verified" or "never"`]],
    ...["acme.example", "http://acme.example", "https://acme.example/?a=1", "https://acme.example/#a"].map(
      (issuer) =>
        [
          [configured("acme", { issuer })],
          [
            `${at("issuer")}: found ${JSON.stringify(issuer)}, wanted a URL that begins with https://, or http:// on this machine, without a query`,
          ],
        ] as const,
    ),
    [[configured("acme", { preset: "idp_three" })], [`${at("preset")}: found "idp_three", wanted "idp_one" or "idp_two"`]],
    [[configured("acme", { client_secret: 5 })], [`${at("client_secret")}: found a number, wanted a text`]],
    [[configured("acme", { token: "x" })], [expect.stringContaining(`${at("token")}: found an unknown key`)]] as any,
  ])

  it.effect("the timeout is at least one second, the binding auto or off", () =>
    Effect.gen(function* () {
      expect(yield* faultsOf([], {}, { timeout: 0, browser_binding: "on" })).toEqual([
        'modules.social.browser_binding: found "on", wanted "auto" or "off"',
        "modules.social.timeout: found 0, wanted a number between 1 and 3155760000",
      ])
    }),
  )

  it.effect("a function can map users in a configuration file in TypeScript", () =>
    Effect.gen(function* () {
      const provider = JSON.stringify(without(["map_user"]))
      const text = `export default { secret: "${secret}", modules: { social: { providers: [{ ...${provider}, map_user: ({ sub }) => ({ account_id: sub }) }] } } }`
      const { modules } = yield* loaded("config.js", text)
      expect(modules.map(({ name }) => name)).toEqual(["social"])
    }),
  )
})
