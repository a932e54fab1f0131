import { Effect, Schema } from "effect"
import type { RelyingParty } from "../../../domain/ports/web-authn.ts"
import { about, Settings, type SettingsValue } from "../../../domain/settings.ts"
import { isPrivateUrl } from "../../../domain/values/url.ts"
import type { Fault } from "../../service/module.ts"

export const PasskeySettings = Schema.Struct({
  rp_id: Schema.optionalKey(Schema.String).pipe(
    about("The domain of the passkeys; users lose their passkeys when it changes. Default: the host of `public_url`."),
  ),
  rp_name: Schema.optionalKey(Schema.NonEmptyString).pipe(about("The name of the service in browser dialogs. Default: `branding.name`.")),
  origins: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)).pipe(
    about(
      "Origins that may request passkeys: `rp_id` or a subdomain, over https or at localhost; Android applications as `android:apk-key-hash:…`. An origin other than `public_url` must be in `trusted_origins` as well. Default: `[public_url]`.",
    ),
  ),
  related_origins: Schema.optionalKey(Schema.Array(Schema.String)).pipe(
    about(
      "https origins of other domains that may use the same passkeys ([related origins](https://www.w3.org/TR/webauthn-3/#sctn-related-origins)). They are served at `/.well-known/webauthn` of the host of `public_url`; if `rp_id` is another host, that host has to serve them. They must be in `trusted_origins` as well. Default: none.",
    ),
  ),
})
export type PasskeySettings = typeof PasskeySettings.Type

/** The relying party under these settings. */
const partyOf = ({ rp_id, origins }: PasskeySettings, { public_url }: Pick<SettingsValue, "public_url">): RelyingParty => ({
  id: rp_id ?? new URL(public_url).hostname,
  origins: origins ?? [public_url],
})

export const relyingParty = (settings: PasskeySettings) =>
  Effect.map(Settings, (core): RelyingParty => {
    const { id, origins } = partyOf(settings, core)
    return { id, origins: [...origins, ...(settings.related_origins ?? [])] }
  })

/** Rejects settings that browsers would refuse without a useful error. */
export const faults = (settings: PasskeySettings, core: SettingsValue): ReadonlyArray<Fault> => {
  const { id, origins } = partyOf(settings, core)
  if (!isDomain(id)) {
    const reason = settings.rp_id === undefined ? `, and the host ${id} of public_url is not one` : ""
    return [{ path: ["rp_id"], wanted: `a domain name such as example.com, since browsers accept passkeys for domain names only${reason}` }]
  }
  const wanted = `https://${id} or an origin of a subdomain, http only at localhost`
  const unrelated = (settings.related_origins ?? []).flatMap((origin, index) =>
    isHttpsOrigin(origin) ? [] : [{ path: ["related_origins", index], wanted: "an https origin of a domain, such as https://example.org" }],
  )
  const outside = origins.flatMap((origin, index) => {
    if (isWithin(origin, id)) return []
    return [{ path: settings.origins === undefined ? ["origins"] : ["origins", index], wanted }]
  })
  return [...outside, ...unrelated]
}

const isHttpsOrigin = (text: string) => {
  const url = URL.parse(text)
  return url !== null && url.origin === text && url.protocol === "https:" && isDomain(url.hostname)
}

/** Whether a text is a domain name and not an IPv4 address. */
const isDomain = (text: string) => /^(?![\d.]+$)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text)

/** Android applications are identified by the hash of their signing certificate. */
const isApplication = (origin: string) => /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(origin)

const isWithin = (origin: string, id: string) => {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin) return isApplication(origin)
  return isPrivateUrl(origin) && isDomain(url.hostname) && `.${url.hostname}`.endsWith(`.${id}`)
}
