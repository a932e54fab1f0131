import { Effect, Schema } from "effect"
import type { RelyingParty } from "../../../domain/ports/web-authn.ts"
import { orElse, Settings, type SettingsValue } from "../../../domain/settings.ts"
import { isPrivateUrl } from "../../../domain/values/url.ts"
import type { Fault } from "../../service/module.ts"

export const PasskeySettings = Schema.Struct({
  /** The domain that passkeys are for; the host of `public_url` when left out. Passkeys of another one are lost when it changes. */
  rp_id: Schema.optionalKey(Schema.String),
  /** What people are told whom a passkey is for. */
  rp_name: Schema.NonEmptyString.pipe(orElse("Sallyport")),
  /** Who may ask for them: pages at `rp_id` or below, and Android applications; `public_url` when left out. */
  origins: Schema.optionalKey(Schema.NonEmptyArray(Schema.String)),
})
export type PasskeySettings = typeof PasskeySettings.Type

/** Whom passkeys are for, under these settings. */
const partyOf = ({ rp_id, origins }: PasskeySettings, { public_url }: Pick<SettingsValue, "public_url">): RelyingParty => ({
  id: rp_id ?? new URL(public_url).hostname,
  origins: origins ?? [public_url],
})

export const relyingParty = (settings: PasskeySettings) => Effect.map(Settings, (core) => partyOf(settings, core))

/** What browsers would refuse, and nobody would know why. */
export const faults = (settings: PasskeySettings, core: SettingsValue): ReadonlyArray<Fault> => {
  const { id, origins } = partyOf(settings, core)
  if (!isDomain(id)) {
    const given = settings.rp_id === undefined ? `, and ${id} of public_url is none` : ""
    return [{ path: ["rp_id"], wanted: `a domain name such as example.com, since browsers keep passkeys for no other host${given}` }]
  }
  const wanted = `https://${id} or an origin below it, http only at localhost`
  return origins.flatMap((origin, index) => {
    if (isWithin(origin, id)) return []
    return [{ path: settings.origins === undefined ? ["origins"] : ["origins", index], wanted }]
  })
}

/** Numbers alone are an address. */
const isDomain = (text: string) => /^(?![\d.]+$)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text)

/** Android applications are known by the hash of the certificate that signs them. */
const isApplication = (origin: string) => /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(origin)

const isWithin = (origin: string, id: string) => {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin) return isApplication(origin)
  return isPrivateUrl(origin) && isDomain(url.hostname) && `.${url.hostname}`.endsWith(`.${id}`)
}
