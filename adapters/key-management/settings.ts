import { Schema } from "effect"
import { orElse } from "../../domain/settings.ts"
import { isPrivateUrl } from "../../domain/values/url.ts"
import { hidden } from "../hidden.ts"

const Url = Schema.String.check(
  Schema.makeFilter(isPrivateUrl, { expected: "a URL that begins with https://, or http:// on this machine; without user and password" }),
)

const named = (expected: string, pattern: RegExp) =>
  Schema.String.check(Schema.isPattern(pattern, { expected })).pipe(Schema.annotateKey({ messageMissingKey: `Expected ${expected}` }))

/** Bound to every wrapped secret, so that a service refuses the secret of another service under the same key. */
const context = Schema.NonEmptyString.pipe(orElse("sallyport"))

export const Vault = Schema.Struct({
  kind: Schema.Literal("vault"),
  url: Url,
  token: hidden((text) => /^[\x21-\x7e]+$/.test(text), "a token of Vault"),
  /** The name of the key. */
  key: named("the name of a key of the transit engine", /^\w([\w.-]*\w)?$/),
  /** The path of the transit engine. */
  mount: named("the path of the transit engine", /^\w([\w.-]*\w)?(\/\w([\w.-]*\w)?)*$/).pipe(orElse("transit")),
  /** The namespace of the transit engine. Default: the root namespace. */
  namespace: named("the path of a namespace", /^[\x21-\x7e]+$/).pipe(Schema.optionalKey),
  context,
})

export const Aws = Schema.Struct({
  kind: Schema.Literal("aws"),
  region: named("a region, such as eu-central-1", /^[a-z]{2}(-[a-z]+)+-\d+$/),
  /** The id or the ARN of a key, or the name or the ARN of an alias. */
  key_id: named("the id or the ARN of a key, or alias/ and a name", /^[\w:/-]+$/),
  access_key_id: named("the id of an access key", /^\w+$/),
  secret_access_key: hidden((text) => text !== "", "the secret access key"),
  /** Of temporary credentials. */
  session_token: hidden((text) => text !== "", "a session token").pipe(Schema.optionalKey),
  /** Default: the public endpoint of the region. */
  endpoint: Url.pipe(Schema.optionalKey),
  context,
})

export type VaultSettings = typeof Vault.Type
export type AwsSettings = typeof Aws.Type
