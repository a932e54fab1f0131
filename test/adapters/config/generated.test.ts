import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Schema } from "effect"
import { describe, expect, it } from "vitest"
import type { ConfigurationKeys, ModuleSettings } from "../../../adapters/config/configuration.generated.ts"
import type { Fields } from "../../../adapters/config/fields.ts"
import type { named } from "../../../application/modules/index.ts"
import example from "../../../examples/sallyport.config.ts"
import { configurationSchema, configurationTypes } from "../../../packaging/configuration.ts"
import repository from "../../../sallyport.config.ts"

type Input = Omit<Schema.Struct.Encoded<Fields>, "modules" | "extensions" | "secret"> &
  Partial<Pick<Schema.Struct.Encoded<Fields>, "secret">>
type Modules = { readonly [Name in keyof typeof named]?: (typeof named)[Name]["settings"]["Encoded"] }

/** `npm run check` fails unless the values of each type are values of the other. */
export const assigned = {
  keys: (given: Input): ConfigurationKeys => given,
  input: (given: ConfigurationKeys): Input => given,
  modules: (given: Modules): ModuleSettings => given,
  settings: (given: ModuleSettings): Modules => given,
}
/** Optional keys are equal only if both types have them. */
export const names: Record<keyof Input, 0> extends Record<keyof ConfigurationKeys, 0>
  ? Record<keyof ConfigurationKeys, 0> extends Record<keyof Input, 0>
    ? "same"
    : never
  : never = "same"

const root = join(import.meta.dirname, "../../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

describe("the generated files", () => {
  it("have the settings of the schemas; `npm run configuration:update` writes them", () => {
    expect(configurationSchema()).toBe(read("docs/sallyport.schema.json"))
    expect(configurationTypes()).toBe(read("adapters/config/configuration.generated.ts"))
  })
})

describe("sallyport.schema.json", () => {
  const validate = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(JSON.parse(configurationSchema()))
  const faults = (configuration: unknown) => {
    validate(configuration)
    return (validate.errors ?? []).map(({ instancePath, params }) => [instancePath, params["additionalProperty"] ?? ""].join(" "))
  }

  it("accepts the configurations of the repository, of the examples and of the documentation", async () => {
    for (const { extensions: _, ...ofJson } of [repository, example]) expect(faults(JSON.parse(JSON.stringify(ofJson)))).toEqual([])
    const blocks = [...(read("docs/operating.md") + read("docs/providers.md")).matchAll(/```json\n(\{\n {2}"public_url"[\s\S]+?)```/g)].map(
      ([, text = ""]) => JSON.parse(text),
    )
    expect(blocks.length).toBeGreaterThan(1)
    const providers = [...read("docs/configuration.md").matchAll(/```json\n([[{][\s\S]+?)```/g)]
      .map(([, text = ""]) => JSON.parse(text))
      .filter((value) => JSON.stringify(value).includes('"redirect_uri"') && !JSON.stringify(value).includes("acme.example.com/callback"))
      .map((value) => ({ modules: { social: { providers: [value].flat() } } }))
    expect(providers).toHaveLength(1)
    for (const configuration of [...blocks, ...providers]) expect(faults(configuration)).toEqual([])
  })

  it("accepts true, false and $schema, and refuses misspelled keys at every level", () => {
    expect(faults({ $schema: "./sallyport.schema.json", modules: { passkey: true, magic_link: false, username: {} } })).toEqual([])
    expect(faults({ publicurl: "http://localhost:3000" })).toEqual([" publicurl"])
    expect(faults({ session: { expiresIn: 60 } })).toEqual(["/session expiresIn"])
    expect(faults({ modules: { pass_key: {} } })).toEqual(["/modules pass_key"])
    expect(faults({ modules: { passkey: { rpid: "x" } } })).toContain("/modules/passkey rpid")
    expect(faults({ modules: { username: { rpid: "x" } } })).toContain("/modules/username rpid")
    expect(faults({ store: { kind: "postgres", uri: "" } })).toContain("/store uri")
    expect(faults({ mail: { send: true } })).not.toEqual([])
    expect(faults({ telemetry: { traces: { url: "http://localhost:4318", sample: "NaN" } } })).not.toEqual([])
    const google = { preset: "google", client_id: "a", client_secret: "b", redirect_uri: "http://localhost:3000/api/auth/oauth/callback" }
    expect(faults({ modules: { social: { providers: [google] } } })).toEqual([])
    expect(faults({ modules: { social: { providers: [{ ...google, preset: "gogle" }] } } })).not.toEqual([])
  })

  it("describes every setting that the reference describes", () => {
    expect(configurationSchema().match(/"description":/g)?.length).toBeGreaterThan(250)
    expect(configurationTypes()).toContain("/** Rolling lifetime, and `Max-Age` of the cookie, seconds. */\nreadonly expires_in?: number")
  })
})
