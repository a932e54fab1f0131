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

  it.effect("accepts the example of docs/configuration.md", () =>
    Effect.gen(function* () {
      const docs = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
      const [, examples = ""] = docs.split("\n## Social providers\n")
      const [, byHand = ""] = examples.split("```")
      expect(yield* faultsOf([JSON.parse(byHand.replace(/^json/, ""))], { public_url: "https://id.example.com" })).toEqual([])
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

  const bare = (more: Record<string, unknown>) => ({ id: "acme", client_id: "our client", redirect_uri: callback, ...more })
  const issuer = "https://acme.example"
  const pem = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
  cases("an issuer is enough, and so is a private key in place of a secret", [
    [[bare({ issuer, client_secret: "s" })], []],
    [[bare({ issuer, private_key: pem })], []],
    [[bare({ issuer, client_auth: "none" })], []],
    [[bare({ issuer, client_secret: "s", scopes: ["openid"], map_user: { account_id: "sub" }, client_auth: "client_secret_basic" })], []],
    [[bare({ preset: "apple", team_id: "T", key_id: "K", private_key: pem })], []],
    [[{ ...without(["userinfo_url"]), jwks_url: `${issuer}/jwks`, issuer }], []],
  ])

  cases("says what a provider lacks", [
    [[bare({ issuer })], [`${at("client_secret")}: found nothing, wanted a text that is not empty`]],
    [[bare({ preset: "keycloak", client_secret: "s" })], [`${at("issuer")}: found nothing, wanted the provider's issuer`]],
    [
      [bare({ issuer, client_secret: "s", client_auth: "private_key_jwt" })],
      [`${at("private_key")}: found nothing, wanted a private key, since client_auth is private_key_jwt`],
    ],
    [
      [bare({ issuer, private_key: pem, client_auth: "client_secret_post" })],
      [`${at("client_secret")}: found nothing, wanted a text that is not empty`],
    ],
    [
      [bare({ preset: "apple", private_key: pem })],
      [
        `${at("team_id")}: found nothing, wanted the id of the Apple team`,
        `${at("key_id")}: found nothing, wanted the id of the key at Apple`,
      ],
    ],
    [
      [configured("acme", { jwks_url: `${issuer}/jwks` })],
      [`${at("issuer")}: found nothing, wanted the provider's issuer, since jwks_url is set`],
    ],
    [
      [configured("acme", { userinfo_url: null })],
      [`${at("userinfo_url")}: found null, wanted the URL of the provider's profile, or jwks_url`],
    ],
    [
      [bare({ issuer, private_key: "MIIE" })],
      [`${at("private_key")}: found a text of 4 bytes, wanted a private key in PKCS #8, which begins with -----BEGIN PRIVATE KEY-----`],
    ],
    [
      [bare({ issuer, private_key: pem, id_token_algorithms: ["HS256"] })],
      [`${at("client_secret")}: found nothing, wanted a secret, which HS256 needs`],
    ],
    [
      [bare({ issuer, client_secret: "s", id_token_algorithms: ["none"] })],
      [expect.stringContaining(`${at("id_token_algorithms")}`)],
    ] as any,
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
    [
      [configured("acme", { preset: "idp_three" })],
      [`${at("preset")}: found "idp_three", wanted the name of a preset (docs/providers.md)`],
    ],
    [[{ preset: "gogle" }], [`${at("preset")}: found "gogle", wanted "google"`]],
    [[{ preset: "something else" }], [`${at("preset")}: found "something else", wanted the name of a preset (docs/providers.md)`]],
    [[{ preset: 5 }], [`${at("preset")}: found 5, wanted the name of a preset (docs/providers.md)`]],
    [[configured("acme", { client_secret: 5 })], [`${at("client_secret")}: found a number, wanted a text that is not empty`]],
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
