import { Data, Effect, Option } from "effect"
import { isStorable, orFail } from "../../../../domain/ports/store.ts"
import * as Core from "../../../../domain/settings.ts"
import { isSameRedirectUri, isSameUriOfAgent } from "../../../../domain/values/redirect-uri.ts"
import { type ClaimsParameter, requestedClaims } from "../claims/requested-claims.ts"
import { agentTarget } from "../clients/agents/target.ts"
import { type Client, hasKeys, needsPkce, offlineAccess } from "../clients/client.ts"
import { clientOf } from "../clients/stored-clients.ts"
import { InvalidClient, InvalidRedirectUri } from "../errors.ts"
import { faultIn, parameters, singles } from "../parameters.ts"
import type { Settings } from "../settings.ts"
import { requestedResource } from "../tokens/resources.ts"

/** The parameters of the request, including optional ones that have no effect here (OpenID Connect Core section 3.1.2.1). */
export const Parameters = parameters(
  ...["client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "prompt", "max_age", "id_token_hint"],
  ...["code_challenge", "code_challenge_method", "request", "request_uri", "registration"],
  ...["acr_values", "claims", "display", "login_hint", "ui_locales", "resource", "dpop_jkt", "organization"],
)
type Input = typeof Parameters.Type
type Single = ReturnType<typeof singles<keyof Input>>

/** An error that the redirect reports to the client (RFC 6749 section 4.1.2.1). */
export class Refused extends Data.TaggedError("Refused")<{ readonly error: string; readonly error_description: string }> {}
export const refused = (error: string, error_description: string) => new Refused({ error, error_description })
const invalid = (description: string) => refused("invalid_request", description)

/** The client and its redirect URI. Both are validated before any redirect: otherwise this would be an open redirector. */
export const validatedClient = Effect.fnUntraced(function* validatedClient(settings: Settings, input: Input) {
  const { client_id, redirect_uri } = singles(input)
  const client = yield* orFail(clientOf(settings, client_id), () => new InvalidClient())
  if (client.agent?.isWithdrawn === true) return yield* new InvalidClient()
  const isSame = client.agent === undefined ? isSameRedirectUri : isSameUriOfAgent
  if (redirect_uri === undefined || !client.redirect_uris.some((registered) => isSame(registered, redirect_uri))) {
    return yield* new InvalidRedirectUri()
  }
  return { client, redirect_uri }
})

/** Why a request cannot be stored: a parameter is repeated, too long or not well-formed. */
export const requestFault = (input: Input): string | undefined => {
  const unstorable = Object.entries(singles(input)).find(([, value = ""]) => !isStorable(value))
  return faultIn(input) ?? (unstorable === undefined ? undefined : `${unstorable[0]} is not well-formed text.`)
}

/** Validates the authorization request of a known client. */
export const read = Effect.fnUntraced(function* read(client: Client, knownScopes: ReadonlyArray<string>, input: Input) {
  const refusal = requestFault(input)
  if (refusal !== undefined) return yield* invalid(refusal)

  const single = singles(input)
  for (const check of [objects, response, pkce, maxAge, dpopKey]) {
    const fault = check(single, client)
    if (fault !== undefined) return yield* fault
  }
  return {
    ...(yield* targetOf(client, knownScopes, single)),
    prompts: yield* promptsOf(single),
    ...(yield* claimsOf(client, single)),
    acr_values: textsOf(single.acr_values),
    max_age: single.max_age === undefined ? undefined : Number(single.max_age),
    id_token_hint: single.id_token_hint,
    code_challenge: single.code_challenge ?? null,
    nonce: single.nonce ?? null,
    jkt: single.dpop_jkt ?? null,
    /** The id or the slug of the organization that the client expects. */
    organization: single.organization,
  }
})
export type AuthorizationRequest = Effect.Success<ReturnType<typeof read>>

/** The scopes and the resource servers of a request. Those of an agent depend on each other: its scopes are those of one resource server. */
const targetOf = Effect.fnUntraced(function* targetOf(client: Client, knownScopes: ReadonlyArray<string>, single: Single) {
  const resource = yield* Effect.mapError(requestedResource(client, single.resource), ({ _tag, message }) => refused(_tag, message))
  if (client.agent === undefined) return { scope: yield* scopeOf(client, knownScopes, single), resource }
  const target = agentTarget(client, client.agent, resource, single.scope)
  return target ?? (yield* refused("invalid_scope", "The scopes are unknown, or do not belong to one resource server."))
})

const textsOf = (list = "") => list.split(" ").filter((each) => each !== "")

const noClaims: ClaimsParameter = { names: null, acr: { values: [], isEssential: false }, subjects: [], organizations: [] }

/** The content of the parameter `claims` (OpenID Connect Core section 5.5). */
const claimsOf = Effect.fnUntraced(function* claimsOf(client: Client, { claims }: Single) {
  const requested = claims === undefined ? Option.some(noClaims) : requestedClaims(client, claims)
  if (Option.isNone(requested)) return yield* invalid("claims is not a JSON object in the form of OpenID Connect Core section 5.5.")
  const { names, ...rest } = requested.value
  return { requested: names, ...rest }
})

type Check = (single: Single, client: Client) => Refused | undefined

/** Refuses request objects that are not valid, and registrations in the request (OpenID Connect Core sections 6.1, 6.2 and 7.2.1). */
const objects: Check = ({ request, request_uri, registration }, client) => {
  if (request !== undefined && hasKeys(client) && client.agent === undefined)
    return refused("invalid_request_object", "The request object is not valid.")
  if (request !== undefined) return refused("request_not_supported", "The client cannot sign requests.")
  if (request_uri !== undefined) return refused("request_uri_not_supported", "Only pushed requests have a request_uri.")
  return registration === undefined
    ? undefined
    : refused("registration_not_supported", "Clients can only be registered in the configuration.")
}

/** How the response reaches the client. */
export const responseModes = ["query", "form_post"]
const isResponseMode = (text: string) => responseModes.includes(text)

const response: Check = ({ response_type, response_mode = "query" }) => {
  if (response_type === undefined) return invalid("response_type is missing.")
  if (response_type !== "code") return refused("unsupported_response_type", "The only response_type is code.")
  return isResponseMode(response_mode) ? undefined : invalid(`response_mode is none of ${responseModes.join(", ")}.`)
}

/**
 * Checks the parameters of PKCE (RFC 7636 section 4.3). Refuses the default method `plain`: its challenge is the verifier itself, so an
 * attacker who reads the request could exchange the code.
 */
const pkce: Check = ({ code_challenge, code_challenge_method }, client) => {
  if (code_challenge === undefined) {
    if (code_challenge_method !== undefined) return invalid("code_challenge is missing.")
    return needsPkce(client) ? invalid("This client needs PKCE: code_challenge is missing.") : undefined
  }
  if (code_challenge_method !== "S256") return invalid("The only code_challenge_method is S256.")
  return /^[\w-]{43}$/.test(code_challenge) ? undefined : invalid("code_challenge is not a SHA-256 hash in base64url.")
}

/** Checks the thumbprint of the key that binds the code (RFC 9449 section 10). */
const dpopKey: Check = ({ dpop_jkt }) =>
  dpop_jkt === undefined || /^[\w-]{43}$/.test(dpop_jkt) ? undefined : invalid("dpop_jkt is not a SHA-256 thumbprint in base64url.")

const maxAge: Check = ({ max_age = "0" }) => (/^\d+$/.test(max_age) ? undefined : invalid("max_age is not a number of seconds."))

/**
 * Ignores unknown scopes (OpenID Connect Core section 3.1.2.1), and `offline_access` for clients that get no refresh tokens (section 11).
 */
export const scopeOf = Effect.fnUntraced(function* scopeOf(
  { scopes, refresh_tokens }: Client,
  known: ReadonlyArray<string>,
  { scope = scopes.join(" ") }: { readonly scope?: string | undefined },
) {
  const isKnown = (each: string) => known.includes(each) || scopes.includes(each)
  const requested = [...new Set(scope.split(" "))].filter((each) => isKnown(each) && (each !== offlineAccess || refresh_tokens))
  if (requested.some((each) => !scopes.includes(each))) return yield* refused("invalid_scope", "The client may not request this scope.")
  if (requested.length === 0) return yield* refused("invalid_scope", "None of these scopes is known.")
  return requested.join(" ")
})

/** The values of `prompt` (OpenID Connect Core section 3.1.2.1; Initiating User Registration 1.0 section 4). */
const prompts = ["none", "login", "consent", "select_account", "create"]

const promptsOf = Effect.fnUntraced(function* promptsOf({ prompt = "" }: Single) {
  const requested = textsOf(prompt)
  const isCreation = requested.includes("create")
  const isKnown = !isCreation || (yield* Core.Settings).links.create_account !== undefined
  if (!isKnown || requested.some((each) => !prompts.includes(each))) return yield* invalid("prompt has an unknown value.")
  if (requested.includes("none") && requested.length > 1) return yield* invalid("prompt=none cannot be combined with other values.")
  if (isCreation && requested.some((each) => each !== "create" && each !== "consent")) {
    return yield* invalid("prompt=create can only be combined with consent.")
  }
  return requested
})
