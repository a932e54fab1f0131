import { Effect, Schema } from "effect"
import { filled, templateOf } from "../../../../domain/mail/links.ts"
import { hasOrganizations } from "../../../../domain/organizations/membership.ts"
import { organizationScope } from "../../../../domain/organizations/organization.ts"
import { conflictIfTaken, retryOnConflict } from "../../../../domain/ports/store.ts"
import * as Endpoint from "../../../service/endpoint.ts"
import { scopeOf } from "../authorization/authorization-request.ts"
import { type Client, deviceCodeGrant } from "../clients/client.ts"
import { authenticate, Credentials, clientProtocol } from "../clients/client-authentication.ts"
import { InvalidClient, InvalidScope, InvalidTarget, UnauthorizedClient } from "../errors.ts"
import { distinct, parameters } from "../parameters.ts"
import { oauthRefusal } from "../refusals.ts"
import { knownScopes, type Settings } from "../settings.ts"
import { requestedResource } from "../tokens/resources.ts"
import { deviceCodeTtl, firstInterval, storeDeviceCode } from "./device-codes.ts"

const Input = Schema.Struct({ ...Credentials.fields, ...parameters("scope", "resource").fields })

/** The answer to a device (RFC 8628 section 3.2). */
const Output = Schema.Struct({
  device_code: Schema.String,
  user_code: Schema.String,
  verification_uri: Schema.String,
  verification_uri_complete: Schema.String,
  /** Seconds. */
  expires_in: Schema.Int,
  /** Seconds. */
  interval: Schema.Int,
})

/** The addresses of the page on which users enter the code: without it, and with it for QR codes. */
const verificationUris = Effect.fnUntraced(function* verificationUris(user_code: string) {
  const template = yield* templateOf("device")
  return {
    verification_uri: template.replace(/[?&][^?&]*\{user_code\}.*$/, ""),
    verification_uri_complete: filled(template, { user_code }),
  }
})

/** The scope of a device, without `organization`: the page for devices lets users choose none. */
const deviceScope = Effect.fnUntraced(function* deviceScope(settings: Settings, client: Client, scope: string | undefined) {
  const known = knownScopes(settings)
  const isOrganization = (yield* hasOrganizations) ? (each: string) => each === organizationScope : () => false
  const permitted = { ...client, scopes: client.scopes.filter((each) => !isOrganization(each)) }
  return yield* Effect.mapError(scopeOf(permitted, [...known, ...client.scopes], { scope }), () => new InvalidScope())
})

/** The device authorization endpoint (RFC 8628 section 3.1), for devices without a browser. */
export const deviceAuthorization = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/oauth2/device-authorization",
    summary: "Issues two codes to a device: the user enters one in a browser, and the device polls for tokens with the other.",
    access: "public",
    input: Input,
    output: Output,
    errors: [InvalidScope, InvalidTarget, UnauthorizedClient, [InvalidClient, 401]],
    protocol: { form: true, anyOrigin: true, ...clientProtocol(settings), refusal: oauthRefusal },
    handler: Effect.fnUntraced(function* identityProviderDeviceAuthorization(input) {
      const single = yield* distinct(input)
      const client = yield* authenticate(settings, single)
      if (!client.grant_types.includes(deviceCodeGrant)) return yield* new UnauthorizedClient()
      const scope = yield* deviceScope(settings, client, single.scope)
      const resource = yield* requestedResource(client, single.resource)
      const stored = conflictIfTaken(storeDeviceCode({ client_id: client.client_id, scope, resource }))
      const { device_code, user_code } = yield* retryOnConflict(stored)
      const uris = yield* verificationUris(user_code)
      return Endpoint.reply({ device_code, user_code, ...uris, expires_in: deviceCodeTtl, interval: firstInterval })
    }),
  })
