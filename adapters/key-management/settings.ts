import { Schema } from "effect"
import { about, orElse } from "../../domain/settings.ts"
import { isPrivateUrl } from "../../domain/values/url.ts"
import { hidden } from "../hidden.ts"

const Url = Schema.String.check(
  Schema.makeFilter(isPrivateUrl, { expected: "a URL that begins with https://, or http:// on this machine; without user and password" }),
)

const named = (expected: string, pattern: RegExp) =>
  Schema.String.check(Schema.isPattern(pattern, { expected })).pipe(Schema.annotateKey({ messageMissingKey: `Expected ${expected}` }))

const context = Schema.NonEmptyString.pipe(
  orElse("sallyport"),
  about("Bound to every wrapped secret, so that a service refuses the secret of another service under the same key."),
)

export const Vault = Schema.Struct({
  kind: Schema.Literal("vault"),
  url: Url.pipe(about("The address of the server.")),
  token: hidden((text) => /^[\x21-\x7e]+$/.test(text), "a token of Vault").pipe(about("The token of the service.")),
  key: named("the name of a key of the transit engine", /^\w([\w.-]*\w)?$/).pipe(about("The name of the key.")),
  mount: named("the path of the transit engine", /^\w([\w.-]*\w)?(\/\w([\w.-]*\w)?)*$/).pipe(
    orElse("transit"),
    about("The path of the transit engine."),
  ),
  namespace: named("the path of a namespace", /^[\x21-\x7e]+$/).pipe(
    Schema.optionalKey,
    about("The namespace of the transit engine. Default: the root namespace."),
  ),
  context,
})

export const Aws = Schema.Struct({
  kind: Schema.Literal("aws"),
  region: named("a region, such as eu-central-1", /^[a-z]{2}(-[a-z]+)+-\d+$/).pipe(about("The region of the key.")),
  key_id: named("the id or the ARN of a key, or alias/ and a name", /^[\w:/-]+$/).pipe(
    about("The id or the ARN of a key, or the name or the ARN of an alias."),
  ),
  access_key_id: named("the id of an access key", /^\w+$/).pipe(about("The id of the access key.")),
  secret_access_key: hidden((text) => text !== "", "the secret access key").pipe(about("The secret of the access key.")),
  session_token: hidden((text) => text !== "", "a session token").pipe(Schema.optionalKey, about("The token of temporary credentials.")),
  endpoint: Url.pipe(Schema.optionalKey, about("Default: the public endpoint of the region.")),
  context,
})

export type VaultSettings = typeof Vault.Type
export type AwsSettings = typeof Aws.Type
