import { DateTime, Duration } from "effect"
import type { SettingsValue } from "../../domain/settings.ts"
import type { Checked } from "../../domain/storage/upkeep.ts"
import { isLocal } from "../../domain/values/url.ts"
import type { Configuration } from "../config/load.ts"
import { durationText, type Finding, fault, fine, warn } from "./finding.ts"

// What production needs of the configuration, and what is known about backups, secrets and certificates.

/** Where mails go, and from which address the service is reached. */
export const settingChecks = (
  { settings, httpSettings, mail, sms, needsSms }: Pick<Configuration, "settings" | "httpSettings" | "mail" | "sms" | "needsSms">,
  processes: number,
): ReadonlyArray<Finding> => {
  const { public_url, rate_limit } = settings
  const { trusted_proxies, client_address } = httpSettings
  const url = new URL(public_url)
  return [
    isLocal(url)
      ? fault("public_url", `public_url is ${public_url}, which is this machine`, "set it to the address that browsers use")
      : fine("public_url", `browsers use ${public_url}`),
    delivery("mail", mail.kind),
    ...(needsSms ? [delivery("sms", sms.kind)] : []),
    limits(rate_limit, processes),
    client_address !== "peer"
      ? fine("client_address", "the address of clients is read from a field of the platform or proxy")
      : trusted_proxies.length > 0
        ? fine("trusted_proxies", `trusted: ${trusted_proxies.join(", ")}`)
        : warn(
            "trusted_proxies",
            "trusted_proxies is empty",
            "name the networks of your proxies: behind one, all clients share one budget",
          ),
  ]
}

const delivery = (check: "mail" | "sms", kind: string | undefined): Finding =>
  kind === "none" || kind === "console"
    ? fault(check, `${check}.kind is "${kind}", so nothing is sent`, `set ${check}.kind to a server`)
    : fine(check, `sent by ${kind ?? "your own adapter"}`)

const limits = ({ enabled, store }: SettingsValue["rate_limit"], processes: number): Finding => {
  if (!enabled) return fault("rate_limit", "requests and guesses have no limit", "set rate_limit.enabled")
  return store === "memory" && processes > 1
    ? fault("rate_limit", `each of ${processes} processes counts by itself`, 'set rate_limit.store to "store" or "redis"')
    : fine("rate_limit", `counted in ${store === "memory" ? "the only process" : store}`)
}

/** A certificate of a server: its expiry, or why it could not be read. */
export type Certificate = { readonly expires: DateTime.Utc } | { readonly fault: string }

/** Renewals are tried for weeks before; this near to the end they have failed. */
const renewedBefore = Duration.days(14)

export const certificateCheck = (check: string, host: string, certificate: Certificate, now: DateTime.Utc): Finding => {
  if ("fault" in certificate)
    return warn(check, `the certificate of ${host} could not be read (${certificate.fault})`, "check it from another machine")
  const { expires } = certificate
  const left = DateTime.toEpochMillis(expires) - DateTime.toEpochMillis(now)
  const text = `the certificate of ${host} ${left < 0 ? "expired" : "expires"} at ${DateTime.formatIso(expires)}`
  if (left < 0) return fault(check, text, "renew it")
  return left < Duration.toMillis(renewedBefore) ? warn(check, text, "renew it, and find out why it was not renewed") : fine(check, text)
}

/** The last check of a backup or of the audit log. */
export const upkeepCheck = (
  { name, command, most }: { readonly name: "backup" | "audit_log"; readonly command: string; readonly most: Duration.Duration },
  last: Checked | undefined,
  now: DateTime.Utc,
): Finding => {
  const what = name === "backup" ? "backup" : "audit log"
  if (last === undefined) return warn(name, `no check of ${name === "backup" ? "a backup" : "the audit log"} is noted`, `run ${command}`)
  const age = (time: DateTime.Utc) => durationText((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(time)) / 1000)
  const made = last.made_at === null ? "" : `, made ${age(last.made_at)} ago`
  const text = `the last check of the ${what}${made} was ${age(last.at)} ago`
  if (!last.is_sound) return fault(name, `${text}, and found faults`, `run ${command}`)
  const old = last.made_at === null ? 0 : DateTime.toEpochMillis(last.at) - DateTime.toEpochMillis(last.made_at)
  if (old > Duration.toMillis(most)) return warn(name, text, "find out why there is no newer one")
  const since = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(last.at)
  return since > Duration.toMillis(most) ? warn(name, text, `run ${command} regularly`) : fine(name, text)
}

/** What is known about the secrets of the service. */
export interface SecretFacts {
  readonly count: number
  /** The first day, UTC, whose seal in the audit log has the newest secret; null if no seal has it. */
  readonly since: string | null
  readonly hasAudit: boolean
}

const longUsed = Duration.days(365)

/** How long the newest secret has been in use, and from when on no session needs an older one. */
export const secretChecks = (
  { count, since, hasAudit }: SecretFacts,
  { session }: SettingsValue,
  now: DateTime.Utc,
): ReadonlyArray<Finding> => {
  const rotation = "docs/configuration.md describes the rotation"
  const unknown = hasAudit ? "no seal of the audit log has it yet" : "only the audit log (modules.audit) would tell"
  const day = since === null ? undefined : DateTime.makeUnsafe(`${since}T00:00:00Z`)
  const age = day === undefined ? 0 : DateTime.toEpochMillis(now) - DateTime.toEpochMillis(day)
  const used = `the secret has been in use since ${since} at the latest`
  const first =
    day === undefined
      ? fine("secret_age", `it is not known since when the newest secret is in use: ${unknown}`)
      : (age > Duration.toMillis(longUsed) ? warn : (check: string, text: string) => fine(check, text))("secret_age", used, rotation)
  if (count < 2) return [first]
  // Only the cookie of a browser tells which secret signed it, so sessions cannot be counted by their secret.
  const end = day === undefined ? undefined : DateTime.add(day, { days: 1, seconds: session.max_lifetime })
  const older = `${count - 1} older ${count === 2 ? "secret is" : "secrets are"} listed`
  if (end === undefined)
    return [
      first,
      warn("older_secrets", older, `keep them for session.max_lifetime (${durationText(session.max_lifetime)}) after the rotation`),
    ]
  return [
    first,
    DateTime.isGreaterThan(end, now)
      ? fine("older_secrets", `${older}; sessions may need them until ${DateTime.formatIso(end)}`)
      : warn("older_secrets", `${older}; no session needs them any more`, "remove them if no stored value needs them (check `secret`)"),
  ]
}
