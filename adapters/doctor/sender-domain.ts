import { createPublicKey } from "node:crypto"
import { Resolver } from "node:dns/promises"
import { Effect } from "effect"
import type { MailSender } from "../kinds/delivery.ts"
import { oneLine, printable } from "../printable.ts"
import { type Finding, fault, fine, warn } from "./finding.ts"

// Mailboxes of large providers refuse mail whose sender is not authenticated: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489).

/** The TXT records of a name; an empty list without any. Fails with the reason if the DNS does not answer. */
export type Txt = (name: string) => Effect.Effect<ReadonlyArray<string>, string>

/** The TXT records that these servers know, or else those of the system. */
export const txtFrom = (servers?: ReadonlyArray<string>): Txt => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return (name) =>
    Effect.tryPromise({ try: () => resolver.resolveTxt(name), catch: (error) => String((error as { code?: unknown }).code) }).pipe(
      Effect.map((records) => records.map((parts) => parts.join(""))),
      Effect.catch((code) => (absent.has(code) ? Effect.succeed([]) : Effect.fail(code))),
    )
}
const absent = new Set(["ENOTFOUND", "ENODATA"])

/** Names that no DNS has (RFC 6761, RFC 2606): those of tests and examples. */
const isReserved = (domain: string) => /(^|\.)(localhost|invalid|test|example(\.(com|net|org))?)$/.test(domain) || !domain.includes(".")

/** Whether receivers can tell that mails come from their sender. */
export const senderChecks = Effect.fnUntraced(function* senderChecks({ domain, dkimSelector }: MailSender, txt: Txt = txtFrom()) {
  if (isReserved(domain)) return []
  const checks = [
    ["mail_spf", Effect.map(txt(domain), (records) => spfFinding(domain, records))],
    ["mail_dkim", dkimCheck(domain, dkimSelector, txt)],
    ["mail_dmarc", Effect.map(dmarcOf(domain, txt), (found) => dmarcFinding(domain, found))],
  ] as const
  return yield* Effect.forEach(
    checks,
    ([name, check]) => Effect.catch(check, (reason) => Effect.succeed(unanswered(name, domain, reason))),
    {
      concurrency: checks.length,
    },
  )
})

const unanswered = (check: string, domain: string, reason: string): Finding =>
  warn(check, `the DNS did not answer for ${shown(domain)} (${shown(reason)})`, "check it from a machine with access to the DNS")

const spfFinding = (domain: string, records: ReadonlyArray<string>): Finding => {
  const [policy, ...more] = records.filter((record) => /^v=spf1( |$)/i.test(record))
  const remedy = `publish one TXT record "v=spf1 … -all" at ${domain} that includes your mail server`
  if (policy === undefined)
    return warn("mail_spf", `${domain} has no SPF record, so receivers cannot tell which servers may send its mail`, remedy)
  if (more.length > 0)
    return fault("mail_spf", `${domain} has ${more.length + 1} SPF records, so that none counts (RFC 7208 section 4.5)`, remedy)
  if (/(^| )\+?all( |$)/i.test(policy)) return warn("mail_spf", `the SPF record of ${domain} permits every server`, remedy)
  return fine("mail_spf", `${domain} has an SPF record; whether it includes your mail server was not checked`)
}

const dkimCheck = Effect.fnUntraced(function* dkimCheck(domain: string, selector: string | undefined, txt: Txt) {
  if (selector === undefined) return warn("mail_dkim", "it is not known with which key mails are signed", "set mail.dkim_selector")
  const name = `${selector}._domainkey.${domain}`
  const keys = (yield* txt(name)).map(tagsOf).filter(({ p }) => p !== undefined)
  return dkimFinding(name, keys[0]?.["p"])
})

const dkimFinding = (name: string, key: string | undefined): Finding => {
  const remedy = "publish the key that your mail server signs with, or change mail.dkim_selector"
  if (key === undefined) return fault("mail_dkim", `${shown(name)} has no DKIM key`, remedy)
  if (key === "") return fault("mail_dkim", `the DKIM key at ${shown(name)} is revoked`, remedy)
  const bits = rsaBits(key)
  if (bits !== undefined && bits < 1024)
    return fault("mail_dkim", `the DKIM key at ${shown(name)} has ${bits} bits, and receivers refuse it`, "use 2048 bits")
  if (bits !== undefined && bits < 2048) return warn("mail_dkim", `the DKIM key at ${shown(name)} has ${bits} bits`, "use 2048 bits")
  return fine("mail_dkim", `there is a DKIM key at ${shown(name)}; whether mails are signed with it was not checked`)
}

/** The length of an RSA key; undefined for keys of other kinds. */
const rsaBits = (key: string) => {
  try {
    const decoded = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" })
    return decoded.asymmetricKeyDetails?.modulusLength
  } catch {
    return undefined
  }
}

interface FoundPolicy {
  readonly at: string
  readonly records: ReadonlyArray<string>
}

/** The policy of the domain, or else of the nearest domain above it. */
const dmarcOf = Effect.fnUntraced(function* dmarcOf(domain: string, txt: Txt) {
  const labels = domain.split(".")
  for (let first = 0; first < labels.length - 1; first++) {
    const at = labels.slice(first).join(".")
    const records = (yield* txt(`_dmarc.${at}`)).filter((record) => /^v=DMARC1\s*(;|$)/.test(record))
    if (records.length > 0) return { at, records } satisfies FoundPolicy
  }
  return null
})

const dmarcFinding = (domain: string, found: FoundPolicy | null): Finding => {
  const remedy = `publish one TXT record "v=DMARC1; p=quarantine" at _dmarc.${domain}, after "p=none" with reports for some weeks`
  if (found === null) return warn("mail_dmarc", `${domain} has no DMARC record, so that others can send mail in its name`, remedy)
  const { at, records } = found
  const [record = "", ...more] = records
  if (more.length > 0) return fault("mail_dmarc", `_dmarc.${at} has ${more.length + 1} DMARC records, so that none counts`, remedy)
  const { p, sp } = tagsOf(record)
  const policy = (at === domain ? p : (sp ?? p))?.toLowerCase()
  if (policy === "none") return warn("mail_dmarc", `the DMARC record of ${at} only asks for reports (p=none)`, remedy)
  if (policy !== "quarantine" && policy !== "reject") return fault("mail_dmarc", `the DMARC record of ${at} has no valid policy`, remedy)
  return fine("mail_dmarc", `mail in the name of ${domain} that is not authenticated is refused or marked (p=${policy})`)
}

/** The tags of a record (RFC 6376 section 3.2). */
const tagsOf = (record: string): Readonly<Partial<Record<string, string>>> =>
  Object.fromEntries(
    record.split(";").map((tag) => {
      const [name = "", ...value] = tag.split("=")
      return [name.trim(), value.join("=").replace(/\s/g, "")]
    }),
  )

/** A name as a terminal may show it. */
const shown = (text: string) => oneLine(printable(text)).slice(0, 200)
